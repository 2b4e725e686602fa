import * as assert from 'uvu/assert'
import type { CDPSession } from 'playwright-core'
import { operator } from '../../src/lib/actor.ts'
import { axeViolations, browserSuite, signInAt, startBrowser } from '../helpers/browser.ts'
import { startFront } from '../helpers/front.ts'
import { enableSecondFactor, type EnabledSecondFactor } from '../accounts/people.ts'
import { startService } from '../helpers/service.ts'
import { untilCount } from '../helpers/until.ts'

const passkeys = browserSuite('web: passkeys')
const email = 'ann@example.org'
let factor: EnabledSecondFactor
let authenticatorId: string

// Passkeys need a name of a host.
const front = await startFront(() => service.url)
const { url } = front
const service = await startService({ env: { RATE_LIMIT_LOGIN: 'off', BASE_URL: url } })
const client = await service.user(email)
const browser = await startBrowser(url)
await browser.logInAs(client)
const page = await browser.open('/account/passkeys')
const authenticator: CDPSession = await browser.context.newCDPSession(page)
await authenticator.send('WebAuthn.enable')
;({ authenticatorId } = await authenticator.send('WebAuthn.addVirtualAuthenticator', {
  options: {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  },
}))

/** Whether the user touches the authenticator when it is asked. */
const touch = (enabled: boolean) =>
  authenticator.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })

async function openSignedOut(path: string, touches: boolean): Promise<void> {
  await touch(touches)
  await browser.context.clearCookies()
  await page.goto(browser.address(path))
}

const button = (name: string) => page.getByRole('button', { name, exact: true })
const isHome = () => page.waitForURL(browser.address('/'))

async function signInByPassword(): Promise<void> {
  await openSignedOut('/login', false)
  await signInAt(page, email)
}

passkeys('should add a passkey and name it after the browser, and rename it', async () => {
  await button('Add a passkey').click()
  await page.getByText('Chrome on Linux').waitFor()
  assert.equal(await axeViolations(page), [])
  // A second one of the same device would replace the first.
  await button('Add a passkey').click()
  await page.getByText('This device already has a passkey').waitFor()
  await button('Edit Chrome on Linux').click()
  await page.getByLabel('Name').fill('Laptop')
  await button('Save').click()
  await page.getByText('Laptop').waitFor()
})

passkeys('should sign in with the passkey alone', async () => {
  await openSignedOut('/login', false)
  await button('Sign in with a passkey').waitFor()
  assert.equal(await axeViolations(page), [])
  await touch(true)
  await button('Sign in with a passkey').click()
  await isHome()
})

passkeys('should sign in with a passkey that the browser offers', async () => {
  await openSignedOut('/login?next=/shares', true)
  await page.waitForURL(browser.address('/shares'))
})

passkeys('should end a two-step sign-in with the passkey', async () => {
  factor = await enableSecondFactor(service, email)
  await signInByPassword()
  await page.getByLabel('6-digit code').waitFor()
  await touch(true)
  await button('Sign in with a passkey').click()
  await isHome()
})

passkeys('should confirm by a code alone that other sessions end', async () => {
  const other = service.client()
  const login = { email, password: `password of ${email}`, code: factor.code(1) }
  other.token = (await other.post('/api/auth/verify-2fa', login)).json().token
  service.clock.advance(10 * 60_000)
  await page.goto(browser.address('/account/sessions'))
  await button('Sign out everywhere else').click()
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await dialog.getByText('Your password or a code is enough.').waitFor()
  assert.equal(await axeViolations(page), [])
  await dialog.getByLabel('6-digit code').fill(factor.code())
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('All other sessions ended.').waitFor()
  assert.is((await other.get('/api/account')).status, 401)
})

passkeys('should confirm a change with the passkey', async () => {
  service.clock.advance(10 * 60_000)
  await page.goto(browser.address('/account/passkeys'))
  await button('Remove Laptop').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await button('Use a passkey').click()
  await page.getByText('No passkeys yet.').waitFor()
  await untilCount(page.getByRole('dialog'), 0)
})

passkeys('should set up the second factor that is required', async () => {
  await service.database.sql`delete from second_factors`
  await service.app.services.settings.update(operator, { require2FA: true })
  await authenticator.send('WebAuthn.clearCredentials', { authenticatorId })
  await signInByPassword()
  await button('Add a passkey').waitFor()
  await touch(true)
  await button('Add a passkey').click()
  await page.getByRole('heading', { name: 'Send files' }).waitFor()
  await signInByPassword()
  await page.getByText('Confirm with your passkey').waitFor()
  await touch(true)
  await button('Sign in with a passkey').click()
  await isHome()
})

passkeys('should offer no password where only the passkey confirms a change', async () => {
  service.clock.advance(10 * 60_000)
  await page.goto(browser.address('/account/passkeys'))
  await button('Remove Chrome on Linux').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await button('Use a passkey').waitFor()
  await untilCount(page.getByLabel('Password', { exact: true }), 0)
  await button('Use a passkey').click()
  await page.getByText('Add another passkey or set it up').waitFor()
})

passkeys('should say on plain http that passkeys need https', async () => {
  await service.app.services.settings.update(operator, { require2FA: false })
  const lan = await startBrowser(service.url, { onLan: true })
  try {
    await lan.logInAs(await service.user('bob@example.org'))
    const open = await lan.open('/account/passkeys')
    await open.getByText('Passkeys work only with https').waitFor()
    assert.equal(await lan.closePages(), [])
  } finally {
    await lan.close()
  }
})

passkeys('should have left no problem on the console', async () => {
  assert.equal(await browser.closePages(), [])
})
