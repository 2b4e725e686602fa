import * as assert from 'uvu/assert'
import { browserSuite, signInAt, startBrowser } from '../helpers/browser.ts'
import { enableSecondFactor } from '../accounts/people.ts'
import { startScene } from './sender.ts'
import { adminEmail, adminPassword, startService } from '../helpers/service.ts'
import { untilCount, untilEqual, untilMatch, untilValue } from '../helpers/until.ts'

const signIn = browserSuite('web: sign in')

const { service, browser } = await startScene(signIn, { as: 'nobody', mail: false })

signIn('should sign in by keyboard alone and open the requested page', async () => {
  const page = await browser.open('/shares?sort=name')
  await page.waitForURL('**/login?next=*')
  await page.getByLabel('Email').focus()
  await page.keyboard.type(adminEmail)
  await page.keyboard.press('Tab')
  await page.keyboard.type(adminPassword)
  await page.keyboard.press('Enter')
  await page.waitForURL(browser.address('/shares?sort=name'))
  await browser.context.clearCookies()
})

signIn('should lead to no other host after signing in', async () => {
  const elsewhere = '127.0.0.1:9/login'
  for (const [wanted, reached] of [
    [`/.//${elsewhere}`, `/.//${elsewhere}`],
    [`/shares/..//${elsewhere}`, `//${elsewhere}`],
    [`//${elsewhere}`, '/'],
    [`/\\${elsewhere}`, '/'],
    [`http://${elsewhere}`, '/'],
    ['javascript:alert(1)', '/'],
    ['http://[', '/'],
  ] as const) {
    const page = await browser.open(`/login?next=${encodeURIComponent(wanted)}`)
    await signInAt(page, adminEmail, adminPassword)
    await page.waitForURL((address) => address.pathname !== '/login')
    const found = new URL(page.url())
    const allowed = new URL(browser.address(reached))
    assert.equal([found.origin, found.pathname], [allowed.origin, allowed.pathname], wanted)
    await browser.context.clearCookies()
    await page.close()
  }
})

signIn('should refuse a dead reset link before a password is made up', async () => {
  const page = await browser.open('/reset-password#token=of-yesterday')
  await page.getByRole('alert').getByText('This link is no longer valid.').waitFor()
  await page.getByRole('link', { name: 'Request a new link' }).waitFor()
  await untilCount(page.getByLabel('New password'), 0)
})

signIn('should show a link that is opened over the page of another one', async () => {
  const admin = await service.admin()
  const invited = { email: 'new@example.org', name: 'New' }
  const { url } = (await admin.post('/api/users/invite', invited)).json<{ url: string }>()
  const page = await browser.open('/invitation#token=of-yesterday')
  await page.getByRole('alert').waitFor()
  await page.goto(browser.address(`/invitation${new URL(url).hash}`))
  await untilValue(page.getByLabel('Email'), 'new@example.org')
})

signIn('should explain errors, keep the input, and reveal nothing about accounts', async () => {
  const page = await browser.open('/login')
  const button = page.getByRole('button', { name: 'Sign in', exact: true })
  const place = await button.boundingBox()
  const password = page.getByLabel('Password', { exact: true })
  for (const email of [adminEmail, 'nobody@example.org']) {
    await page.getByLabel('Email').fill(email)
    await password.fill('wrong password')
    await button.click()
    await page.getByText('Wrong email address or password.').waitFor()
    // The next attempt is typed at once, and nothing has moved.
    await page.locator('input:focus').and(password).waitFor()
    await untilEqual(() => button.boundingBox(), place)
    await untilValue(page.getByLabel('Email'), email)
    await page.reload()
  }
})

signIn('should ask for the second factor without asking for the password again', async () => {
  await service.user('ann@example.org')
  const factor = await enableSecondFactor(service, 'ann@example.org')
  const page = await browser.open('/login')
  await signInAt(page, 'ann@example.org')
  await page.getByRole('heading', { name: 'Enter your 6-digit code' }).waitFor()
  await page.locator('input:focus').and(page.getByLabel('6-digit code')).waitFor()
  await page.getByLabel('6-digit code').fill('000000')
  await page.getByRole('alert').waitFor()
  // Six digits are submitted automatically.
  const code = factor.code()
  await page.getByLabel('6-digit code').fill(`${code.slice(0, 3)} ${code.slice(3)}`)
  await page.waitForURL(browser.address('/'))

  await browser.context.clearCookies()
  await page.goto(browser.address('/login'))
  await signInAt(page, 'ann@example.org')
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.locator('input:focus').and(page.getByLabel('Recovery code')).waitFor()
  await page.getByLabel('Recovery code').fill(factor.recoveryCodes[0]!)
  await page.keyboard.press('Enter')
  await page.waitForURL(browser.address('/'))
  await browser.context.clearCookies()
})

signIn('should say how to get in again: by email, or through an administrator', async () => {
  const page = await browser.open('/login?forgot')
  await page.getByText('This service does not send email.').waitFor()
  await untilCount(page.getByRole('textbox'), 0)
  const admin = await service.admin()
  const smtp = { smtpHost: '127.0.0.1', smtpFrom: 'files@example.org' }
  await admin.put('/api/config', smtp)
  await page.reload()
  await page.getByLabel('Email').fill('nobody@example.org')
  await page.keyboard.press('Enter')
  await page.getByText('If an account has this address, an email is on its way.').waitFor()
  await admin.put('/api/config', { smtpHost: '', smtpFrom: '' })
  await page.close()
})

signIn('should count down to the next attempt, announced once a minute', async () => {
  const strict = await startService({ env: { RATE_LIMIT_LOGIN: '1/15m' } })
  const other = await startBrowser(strict.url)
  const page = await other.openWithClock('/login')
  await signInAt(page, adminEmail, 'wrong password')
  await page.getByText('Wrong email address or password.').waitFor()
  await page.keyboard.press('Enter')
  const alert = page.getByRole('alert')
  await alert.getByText(/Try again in 1[45]:\d\d/).waitFor()
  const spoken = alert.locator('p:not([aria-hidden]):not(.code)')
  await untilMatch(() => spoken.innerText(), 'Try again in about 15 minutes.')
  await page.clock.runFor(10 * 60_000 + 5000)
  await alert.getByText(/Try again in 4:\d\d/).waitFor()
  await untilMatch(() => spoken.innerText(), 'Try again in about 5 minutes.')
  await page.clock.runFor(5 * 60_000)
  await alert.getByText('You can try again now.').waitFor()
  await untilValue(page.getByLabel('Password'), 'wrong password')
  assert.equal(other.problems, [])
  await other.close()
  await strict.stop()
})
