import * as assert from 'uvu/assert'
import type { Page } from 'playwright-core'
import { operator } from '../../src/lib/actor.ts'
import { browserSuite, saved, signInAt } from '../helpers/browser.ts'
import { codeAt } from '../accounts/people.ts'
import { untilCount, untilIs, untilMatch, untilNoMatch, untilValue } from '../helpers/until.ts'
import { until } from '../helpers/until.ts'
import { startScene } from './sender.ts'
const account = browserSuite('web: account')

const { service, browser } = await startScene(account, { as: 'nobody', mail: false })
await service.user('ann@example.org')
account.after.each(() => browser.context.clearCookies())

async function signIn(email: string) {
  const client = service.client()
  const answer = await client.post('/api/auth/login', { email, password: `password of ${email}` })
  client.token = answer.json().token ?? null
  assert.is(answer.status, 200)
  return client
}

async function openAs(email: string, path: string): Promise<Page> {
  await browser.logInAs(await signIn(email))
  return browser.open(path)
}

async function appCode(page: Page): Promise<string> {
  const key = await page.getByLabel('Or type this key').inputValue()
  assert.match(key, /^([A-Z2-7]{4} )+[A-Z2-7]{1,4}$/)
  return codeAt(key, service.clock.now())
}

account('should change the password and say what ends', async () => {
  await service.user('carl@example.org')
  const other = await signIn('carl@example.org')
  const page = await openAs('carl@example.org', '/account/password')
  await page.getByLabel('New password').fill('short')
  await page.getByText('3 more characters').waitFor()
  await page.getByLabel('Current password').fill('password of carl@example.org')
  await page.keyboard.press('Enter')
  await untilCount(page.getByText('Password changed.'), 0)
  await page.getByLabel('New password').fill('a few more words')
  await page.getByText('long passwords are hard to guess').waitFor()
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Password changed.').waitFor()
  await untilValue(page.getByLabel('Current password'), '')
  assert.is((await other.get('/api/account')).status, 401)
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
  await untilCount(rows, 3)
  await untilCount(page.getByText('This one'), 1)
  await untilMatch(() => rows.first().innerText(), '127.0.0.1')
  await page.getByRole('button', { name: 'Sign out Safari on iOS' }).click()
  await page.getByText('Session ended.').waitFor()
  assert.is((await phone.get('/api/account')).status, 401)
  await untilCount(rows, 2)
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await untilCount(rows, 1)
  // The last one is this session: it ends where one signs out.
  await untilCount(rows.getByRole('button'), 0)
})

account('should show a new token once, list it, and revoke it after confirmation', async () => {
  const page = await openAs('ann@example.org', '/account/tokens')
  await page.getByText('No API tokens yet.').waitFor()
  const dialog = page.getByRole('dialog')
  const create = page.getByRole('button', { name: 'Create token' })
  await create.click()
  await dialog.getByLabel('Name').fill('backup')
  await page.getByLabel('Valid for').selectOption('30 days')
  await untilCount(page.getByLabel('Administer'), 0)
  await page.getByLabel('Send').uncheck()
  await page.getByLabel('Current password').fill('password of ann@example.org')
  await page.keyboard.press('Enter')
  await page.getByText('Choose at least one permission.').waitFor()
  await page.getByLabel('Read').check()
  await dialog.locator(create).click()
  const token = await page.getByLabel('Token', { exact: true }).inputValue()
  await page.getByRole('button', { name: 'Done' }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'backup' })
  await untilMatch(() => row.innerText(), 'reads ·')
  await untilMatch(() => row.innerText(), 'never used')
  await untilNoMatch(() => page.content(), token)
  const program = service.client()
  program.token = token
  assert.is((await program.get('/api/shares')).status, 200)
  assert.is((await program.post('/api/shares/init')).status, 403)
  await page.reload()
  await row.getByText('last used').waitFor()
  await row.getByRole('button', { name: 'Revoke backup' }).click()
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('No API tokens yet.').waitFor()
  assert.is((await program.get('/api/shares')).status, 401)
})

account('should set up two-step sign-in by keyboard, show the codes, and turn it off', async () => {
  await service.user('eve@example.org')
  const page = await openAs('eve@example.org', '/account/two-step')
  await page.getByRole('button', { name: 'Set up' }).press('Enter')
  await page.getByRole('heading', { name: 'Add your account to the app' }).waitFor()
  const picture = page.getByRole('img', { name: 'QR code' })
  await picture.waitFor()
  await until(async () => assert.ok((await picture.boundingBox())!.width > 100))
  await page.locator('a[href^="otpauth://totp/"]', { hasText: 'Open in an app' }).waitFor()
  // A tablet is turned: the same set-up goes on, and the key is whole.
  const code = await appCode(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('link', { name: 'Account', exact: true }).waitFor()
  const key = page.getByLabel('Or type this key')
  const isWhole = (field: Element) =>
    field.scrollWidth <= field.clientWidth && field.scrollHeight <= field.clientHeight
  await untilIs(() => key.evaluate(isWhole), true)
  await untilIs(() => appCode(page), code)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: 'Next' }).press('Enter')
  await page.getByText('Step 2 of 3').waitFor()
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
  await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor()
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
  await page.getByRole('link', { name: 'Profile' }).press('Enter')
  await page.getByRole('heading', { name: 'Leave without saving your recovery codes?' }).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.getByLabel('I saved them').press('Space')
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

account('should ask to sign in again over the page, and continue what was asked', async () => {
  await service.user('hal@example.org')
  const page = await browser.open('/account')
  await page.getByLabel('Stay signed in').uncheck()
  await signInAt(page, 'hal@example.org')
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
  await untilValue(dialog.getByLabel('Email'), 'hal@example.org')
  await dialog.getByLabel('Password').fill('wrong')
  await page.keyboard.press('Enter')
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('Password').fill('password of hal@example.org')
  await page.keyboard.press('Enter')
  await page.getByText('Saved', { exact: true }).waitFor()
  await untilCount(dialog, 0)
  await untilValue(page.getByLabel('Name'), 'Hal')
  assert.is((await other.get('/api/account')).json().name, 'Hal')
  const [shortest] = await service.database.sql<{ hours: number }[]>`
    select min(extract(epoch from expires_at - created_at)::int / 3600) as hours
    from sessions
    where user_id = (select id from users where email = 'hal@example.org')`
  assert.is(shortest!.hours, 12, 'as was chosen at the first sign-in')
})

account('should show only the wizard where a second factor is required', async () => {
  await service.user('fred@example.org')
  // An administrator without a second factor could not require it.
  await service.app.services.settings.update(operator, { require2FA: true })
  const page = await browser.open('/account/tokens')
  await signInAt(page, 'fred@example.org')
  await page.getByRole('heading', { name: 'Add your account to the app' }).waitFor()
  await untilCount(page.getByRole('navigation'), 0)
  const code = await appCode(page)
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByLabel('Current password').fill('password of fred@example.org')
  await page.getByLabel('6-digit code').fill(code)
  await page.getByLabel('I saved them').check()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('heading', { name: 'API tokens' }).waitFor()
})
