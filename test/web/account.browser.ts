import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { operator } from '../../src/lib/actor.ts'
import { enrol, person } from '../accounts/people.ts'
import { browserSuite, saved, startBrowser, type Browser } from '../helpers/browser.ts'
import { enableSecondFactor, totp } from '../helpers/second-factor.ts'
import { startService, type Service } from '../helpers/service.ts'
import { until } from '../helpers/until.ts'
import { assertRoomy, inEveryLook, type Check } from './looks.ts'

const account = browserSuite('web: account')

let service: Service
let browser: Browser

account.before(async () => {
  service = await startService({ env: { RATE_LIMIT_LOGIN: 'off' } })
  await service.user('ann@example.org')
  browser = await startBrowser(service.url, { language: 'en-GB' })
})
account.after(async () => {
  await browser.close()
  await service.stop()
})
account.after.each(async () => {
  assert.equal(await browser.closePages(), [])
  await browser.context.clearCookies()
})

/** Another session of an existing account. */
async function signIn(email: string, password = `password of ${email}`) {
  const client = service.client()
  const answer = await client.post('/api/auth/login', { email, password })
  client.token = answer.json().token ?? null
  assert.is(answer.status, 200)
  return client
}

async function openAs(email: string, path: string, password?: string): Promise<Page> {
  const client = await signIn(email, password)
  await browser.logInAs(client)
  await client.close()
  return browser.open(path)
}

/** An administrator without a second factor could not require it. */
function requireFactor(require2FA: boolean) {
  return service.app.services.settings.update(operator, { require2FA })
}

/** The code that an app shows with the key of the page. */
async function appCode(page: Page): Promise<string> {
  const key = await page.getByLabel('Or type this key').inputValue()
  assert.match(key, /^([A-Z2-7]{4} )+[A-Z2-7]{1,4}$/)
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = (key.match(/[A-Z2-7]/g) ?? [])
    .map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  const bytes = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))
  return totp(Buffer.from(bytes), Math.floor(service.clock.now() / 30_000))
}

account('should change the name at once, and the address only with the password', async () => {
  await service.user('bob@example.org')
  const page = await openAs('bob@example.org', '/account')
  await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor()
  // The title follows the heading.
  await until('the page has its title', async () => (await page.title()) === 'Profile – Transfer')
  assert.is(await page.getByLabel('Current password').count(), 0)
  await page.getByLabel('Name').fill('Bob')
  await page.keyboard.press('Enter')
  await page.getByText('Saved', { exact: true }).waitFor()

  await page.getByLabel('Email').fill('ANN@example.org')
  await page.getByLabel('Current password').fill('wrong')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('The current password is wrong.').waitFor()
  await page.getByLabel('Current password').fill('password of bob@example.org')
  await page.keyboard.press('Enter')
  await page.getByText('Another account uses this email address.').waitFor()
  await page.getByLabel('Email').fill('bobby@example.org')
  await page.keyboard.press('Enter')
  await page.getByText('Saved', { exact: true }).waitFor()
  assert.is(await page.getByLabel('Current password').count(), 0)
  const client = await signIn('bobby@example.org', 'password of bob@example.org')
  assert.is((await client.get('/api/account')).json().name, 'Bob')
  await client.close()
})

account('should keep language and colours in this browser, before the first paint', async () => {
  const page = await openAs('ann@example.org', '/account')
  await page.getByLabel('Colours').selectOption('Dark')
  const theme = () => page.evaluate<string>('document.documentElement.dataset.theme')
  const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
  assert.is(await theme(), 'dark')
  assert.is(await ground(), 'rgb(16, 19, 24)')
  await page.getByLabel('Language').selectOption('Deutsch')
  await page.getByRole('heading', { name: 'Profil', exact: true }).waitFor()
  assert.is(await theme(), 'dark')
  assert.is(await page.locator('html').getAttribute('lang'), 'de')
  // Emails follow.
  const client = await signIn('ann@example.org')
  const { language, timeZone } = (await client.get('/api/account/preferences')).json()
  assert.is(language, 'de')
  assert.ok(timeZone.length > 0)
  await client.close()
  // Nothing is painted before the script of the page has run: no flash of the other colours.
  assert.match((await (await fetch(`${service.url}/account`)).text()) ?? '', 'blocking="render"')
  await page.evaluate('localStorage.clear()')
})

account('should change the password and say what ends', async () => {
  await service.user('carl@example.org')
  const other = await signIn('carl@example.org')
  const page = await openAs('carl@example.org', '/account/password')
  await page.getByLabel('New password').fill('short')
  await page.getByText('3 more characters').waitFor()
  await page.getByLabel('Current password').fill('password of carl@example.org')
  await page.keyboard.press('Enter')
  assert.is(await page.getByText('Password changed.').count(), 0)
  await page.getByLabel('New password').fill('a few more words')
  await page.getByText('long passwords are hard to guess').waitFor()
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Password changed.').waitFor()
  assert.is(await page.getByLabel('Current password').inputValue(), '')
  assert.is((await other.get('/api/account')).status, 401)
  await other.close()
  await (await signIn('carl@example.org', 'a few more words')).close()
})

account('should list sessions, end one, and end all others', async () => {
  await service.user('dora@example.org')
  const phone = service.client()
  const credentials = { email: 'dora@example.org', password: 'password of dora@example.org' }
  await phone.post('/api/auth/login', credentials, {
    'user-agent':
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1',
  })
  const page = await openAs('dora@example.org', '/account/sessions')
  const rows = page.getByRole('main').getByRole('listitem')
  await page.getByText('Safari on iOS').waitFor()
  assert.is(await rows.count(), 3)
  assert.is(await page.getByText('This one').count(), 1)
  assert.match(await rows.first().innerText(), '127.0.0.1')
  await page.getByRole('button', { name: 'Sign out Safari on iOS' }).click()
  await page.getByText('Session ended.').waitFor()
  assert.is((await phone.get('/api/account')).status, 401)
  assert.is(await rows.count(), 2)
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await page.getByText('All other sessions ended.').waitFor()
  assert.is(await rows.count(), 1)
  await page.getByText('Also ends upload tokens.').waitFor()
  await phone.close()
  // The last one is this session: ending it leads to the sign-in page.
  await rows.getByRole('button').click()
  await page.waitForURL('**/login')
})

account('should show a new token once, list it, and revoke it after confirmation', async () => {
  const page = await openAs('ann@example.org', '/account/tokens')
  await page.getByText('No API tokens yet.').waitFor()
  await page.getByLabel('Name').fill('backup')
  await page.getByLabel('Valid for').selectOption('30 days')
  assert.is(await page.getByLabel('Administer').count(), 0)
  await page.getByLabel('Send').uncheck()
  await page.getByLabel('Current password').fill('password of ann@example.org')
  await page.keyboard.press('Enter')
  await page.getByText('Choose at least one permission.').waitFor()
  await page.getByLabel('Read').check()
  await page.getByRole('button', { name: 'Create token' }).click()
  const token = await page.getByLabel('Token', { exact: true }).inputValue()
  const program = service.client()
  program.token = token
  assert.is((await program.get('/api/shares')).status, 200)
  assert.is((await program.post('/api/shares/init')).status, 403)
  await page.getByRole('button', { name: 'Done' }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'backup' })
  assert.match(await row.innerText(), 'reads ·')
  assert.match(await row.innerText(), 'never used')
  assert.not.match(await page.content(), token)
  await page.reload()
  await row.getByText('last used').waitFor()
  await row.getByRole('button', { name: 'Revoke backup' }).click()
  await page.getByRole('dialog', { name: 'Revoke “backup”?' }).waitFor()
  await page.keyboard.press('Escape')
  assert.is((await program.get('/api/shares')).status, 200)
  await row.getByRole('button', { name: 'Revoke backup' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('No API tokens yet.').waitFor()
  assert.is((await program.get('/api/shares')).status, 401)
  await program.close()
})

account('should ask for a code for tokens, email address, password and deletion', async () => {
  const hugo = await person(service, 'hugo@example.org')
  const { recoveryCodes } = await enrol(service, hugo.client)
  const page = await browser.open('/login')
  await browser.logInAs(hugo.client)
  const password = hugo.password
  const prove = async (index: number) => {
    await page.getByLabel('Current password').fill(password)
    await page.keyboard.press('Enter')
    await page.getByLabel('6-digit code').fill(recoveryCodes[index]!)
    assert.is(await page.getByRole('alert').count(), 0)
    await page.keyboard.press('Enter')
  }
  await page.goto(browser.address('/account/tokens'))
  await page.getByLabel('Name').fill('backup')
  await prove(0)
  await page.getByRole('heading', { name: 'Your new token' }).waitFor()
  await page.goto(browser.address('/account'))
  await page.getByLabel('Email').fill('hugo.new@example.org')
  await prove(1)
  await page.getByText('Saved', { exact: true }).waitFor()
  await page.goto(browser.address('/account/password'))
  await page.getByLabel('New password').fill(password)
  await prove(2)
  await page.getByText('Password changed.').waitFor()
  await page.goto(browser.address('/account/delete'))
  await page.getByLabel('To confirm, type').fill('hugo.new@example.org')
  await prove(3)
  await page.waitForURL('**/login')
  await hugo.client.close()
})

account('should set up two-step sign-in by keyboard, show the codes, and turn it off', async () => {
  await service.user('eve@example.org')
  const page = await openAs('eve@example.org', '/account/two-step')
  await page.getByRole('button', { name: 'Set up' }).press('Enter')
  await page.getByRole('heading', { name: 'Add your account to the app' }).waitFor()
  const picture = page.getByRole('img', { name: 'QR code' })
  await picture.waitFor()
  assert.ok(await picture.evaluate((image) => (image as unknown as { width: number }).width > 100))
  assert.match(
    (await page.getByRole('link', { name: 'Open in the app' }).getAttribute('href')) ?? '',
    /^otpauth:\/\/totp\//,
  )
  const code = await appCode(page)
  await page.getByRole('button', { name: 'Next' }).press('Enter')
  assert.match(await page.locator('[aria-current=step]').innerText(), 'Code')
  await page.getByLabel('Current password').fill('password of eve@example.org')
  await page.getByLabel('6-digit code').fill(code === '000000' ? '111111' : '000000')
  await page.getByRole('alert').waitFor()
  await page.getByLabel('6-digit code').fill(code)
  await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor()

  const codes = await page.getByRole('main').locator('.codes li').allInnerTexts()
  assert.is(codes.length, 10)
  const link = page.getByRole('link', { name: 'Download' })
  const [, text] = await saved(page, () => link.click())
  for (const one of codes) assert.match(text.toString(), one)
  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByText('Copied.').waitFor()
  await page.getByRole('button', { name: 'Done' }).press('Enter')
  assert.is(await page.getByRole('heading', { name: 'Save your recovery codes' }).count(), 1)
  await page.getByLabel('I saved them').press('Space')
  await page.getByRole('button', { name: 'Done' }).press('Enter')
  await page.getByText('10 of 10 recovery codes left').waitFor()

  await page.getByRole('button', { name: 'Replace recovery codes' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Current password').fill('password of eve@example.org')
  await dialog.getByLabel('6-digit code').fill('not-a-code')
  await page.keyboard.press('Enter')
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('6-digit code').fill(codes[0]!)
  await page.keyboard.press('Enter')
  await page.getByText('Your previous recovery codes no longer work.').waitFor()
  const fresh = await page.getByRole('main').locator('.codes li').allInnerTexts()
  assert.is(new Set([...codes, ...fresh]).size, 20)
  const mayUnload = `dispatchEvent(new Event('beforeunload', { cancelable: true }))`
  await page.getByRole('link', { name: 'Profile' }).press('Enter')
  await page.getByRole('heading', { name: 'Leave without saving your recovery codes?' }).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  assert.is(await page.evaluate(mayUnload), false)
  assert.equal(await page.getByRole('main').locator('.codes li').allInnerTexts(), fresh)
  await page.getByLabel('I saved them').press('Space')
  await until('the page may be left', () => page.evaluate<boolean>(mayUnload))
  await page.getByRole('button', { name: 'Done' }).press('Enter')
  await page.getByText('10 of 10 recovery codes left').waitFor()
  await page.getByRole('heading', { name: 'Two-step sign-in', level: 1 }).waitFor()

  await page.getByRole('button', { name: 'Turn off' }).click()
  await dialog.getByLabel('Current password').fill('password of eve@example.org')
  await dialog.getByLabel('6-digit code').fill(codes[1]!)
  await page.keyboard.press('Enter')
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('6-digit code').fill(fresh[0]!)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Set up' }).waitFor()
})

account('should show only the wizard where a second factor is required', async () => {
  await service.user('fred@example.org')
  await requireFactor(true)
  try {
    const page = await browser.open('/account/tokens')
    await page.getByLabel('Email').fill('fred@example.org')
    await page.getByLabel('Password').fill('password of fred@example.org')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Add your account to the app' }).waitFor()
    assert.is(await page.getByRole('navigation').count(), 0)
    const code = await appCode(page)
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByLabel('Current password').fill('password of fred@example.org')
    await page.getByLabel('6-digit code').fill(code)
    await page.getByLabel('I saved them').check()
    await page.getByRole('button', { name: 'Done' }).click()
    // To the page that the user opened.
    await page.getByRole('heading', { name: 'API tokens' }).waitFor()
  } finally {
    await requireFactor(false)
  }
})

account('should show the wizard when a second factor becomes required', async () => {
  const page = await openAs('ann@example.org', '/account/password')
  await page.getByRole('heading', { name: 'Password' }).waitFor()
  await requireFactor(true)
  try {
    // A background request of the page may meet the requirement first: then the link is gone.
    const link = page.getByRole('link', { name: 'API tokens' })
    link.click().catch(() => {})
    await page.getByText('This service requires two-step sign-in.').waitFor()
  } finally {
    await requireFactor(false)
  }
})

account('should delete the account only with its address and password', async () => {
  const gus = await service.user('gus@example.org')
  const shareId = await gus.share({ 'a.txt': 'a' })
  const page = await openAs('gus@example.org', '/account/delete')
  await page.getByText('your shares and all their files').waitFor()
  await page.getByLabel('To confirm, type gus@example.org').fill('ann@example.org')
  await page.getByLabel('Current password').fill('password of gus@example.org')
  await page.keyboard.press('Enter')
  await page.getByText('That is not the email address of this account.').waitFor()
  assert.is((await gus.get('/api/account')).status, 200)
  await page.getByLabel('To confirm').fill('gus@example.org')
  await page.getByLabel('Current password').fill('wrong')
  await page.keyboard.press('Enter')
  await page.getByText('The current password is wrong.').waitFor()
  await page.getByLabel('Current password').fill('password of gus@example.org')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/login')
  assert.is((await gus.get('/api/account')).status, 401)
  assert.is((await gus.get(`/api/public/shares/${shareId}`)).status, 404)
  await gus.close()
})

account('should ask to sign in again over the page, and continue what was asked', async () => {
  await service.user('hal@example.org')
  const page = await openAs('hal@example.org', '/account')
  await page.getByRole('heading', { name: 'Profile' }).waitFor()
  const other = await signIn('hal@example.org')
  await page.getByLabel('Name').fill('Hal')
  await other.delete('/api/account/sessions')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Please sign in again' })
  await dialog.waitFor()
  // Only signing in closes it.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await dialog.waitFor()
  assert.is(await dialog.getByLabel('Email').inputValue(), 'hal@example.org')
  await dialog.getByLabel('Password').fill('wrong')
  await page.keyboard.press('Enter')
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('Password').fill('password of hal@example.org')
  await page.keyboard.press('Enter')
  await page.getByText('Saved', { exact: true }).waitFor()
  assert.is(await dialog.count(), 0)
  assert.is(await page.getByLabel('Name').inputValue(), 'Hal')
  assert.is((await other.get('/api/account')).json().name, 'Hal')
  await other.close()
})

account('should repeat what was sent before signing in again, without another dialog', async () => {
  await service.user('liv@example.org')
  const page = await openAs('liv@example.org', '/account/contacts')
  const other = await signIn('liv@example.org')
  await other.post('/api/account/contacts', { email: 'bob@example.org', name: 'Bob' })
  await page.reload()
  await page.getByText('bob@example.org').waitFor()
  await other.delete('/api/account/sessions')
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  let isHeld = false
  await page.route('**/api/account/contacts/*', async (route) => {
    if (isHeld) return route.continue()
    const response = await route.fetch()
    isHeld = true
    await released
    await route.fulfill({ response })
  })
  await page.getByRole('button', { name: 'Remove' }).click()
  await until('the first attempt is refused', () => isHeld)
  await page.getByRole('link', { name: 'Sessions' }).click()
  const dialog = page.getByRole('dialog', { name: 'Please sign in again' })
  await dialog.getByLabel('Password').fill('password of liv@example.org')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  release()
  await page.getByText('Removed Bob').waitFor()
  assert.is(await dialog.count(), 0)
  assert.equal((await other.get('/api/account/contacts')).json(), [])
  await other.close()
})

const readable = async () => {
  await service.user('ina@example.org')
  const joan = await person(service, 'joan@example.org')
  await enableSecondFactor(service, joan.email)
  const look = async (other: Browser, check: Check, name: string) => {
    const client = await signIn('ina@example.org')
    await other.logInAs(client)
    const page = await other.open('/account')
    for (const view of ['', 'password', 'sessions', 'tokens', 'delete', 'two-step']) {
      await page.goto(other.address(`/account/${view}`))
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.locator('.loading').waitFor({ state: 'detached' })
      await check(page, `${name}-${view || 'profile'}`)
    }
    await page.getByRole('main').getByRole('button').last().click()
    await page.getByRole('img').waitFor()
    await check(page, `${name}-enrol`)
    await client.close()
    const secured = await joan.signIn()
    await other.logInAs(secured)
    await page.goto(other.address('/account/two-step'))
    await page.locator('.badge.ok').waitFor()
    await check(page, `${name}-secured`)
    // The first match is among the tabs.
    await page.getByRole('main').getByRole('button').nth(1).click()
    await page.getByRole('dialog').locator('input[type=password]').waitFor()
    await check(page, `${name}-renew`)
    await secured.close()
  }
  await inEveryLook(service.url, {}, (other, check) => look(other, check, 'account'))
  const german = await startBrowser(service.url, { language: 'de-DE', width: 390 })
  await look(german, assertRoomy, 'account-german')
  assert.equal(german.problems, [])
  await german.close()
}
account('should be readable in every look, in both languages', readable)

account.run()
