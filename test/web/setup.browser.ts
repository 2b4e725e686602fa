import * as assert from 'uvu/assert'
import { renameSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { browserSuite, startBrowser, type Browser } from '../helpers/browser.ts'
import { startService, type Service } from '../helpers/service.ts'
import { untilCount, untilIs, untilValue } from '../helpers/until.ts'
const setup = browserSuite('web: setup')
const email = 'first@example.org'
const password = 'a few good words'

let service: Service
let browser: Browser

setup.before.each(async () => {
  service = await startService({ empty: true, env: { RATE_LIMIT_LOGIN: 'off' } })
  browser = await startBrowser(service.url)
})
setup.after.each(async () => {
  await browser.close()
  await service.stop()
  assert.equal(browser.problems.splice(0), [])
})

const link = () => `/setup#token=${service.app.services.setup.token}`

async function createAccount(page: Page): Promise<void> {
  await page.getByLabel('Name').fill('First')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Name and address' }).waitFor()
}

const title = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()
const step = (page: Page, n: number) => page.getByText(`Step ${n} of 4`, { exact: true }).waitFor()

setup(
  'should lead from the token to the first file by keyboard, saving each step, also over a reload',
  async () => {
    const page = await browser.open(link())
    await title(page, 'Create the administrator account')
    await untilCount(page.getByLabel('Setup token'), 0)
    await step(page, 1)
    await createAccount(page)
    // The token is useless by now, and stays in no history.
    assert.not.match(page.url(), 'token')
    await page.getByText('begin with http').waitFor()
    await page.getByText('This address is not encrypted').waitFor()
    await page.getByLabel('Service name').fill('Files of Example')
    await page.keyboard.press('Enter')

    await title(page, 'Storage and limits')
    assert.is(service.app.services.settings.values.appName, 'Files of Example')
    await page.reload()
    await title(page, 'Storage and limits')
    await step(page, 3)
    await page.getByText('Disk speed').waitFor()
    await page.getByLabel('Largest share').fill('2.5')
    await page.getByText('Leave blank for never.').waitFor()
    await page.getByLabel('Links expire after').fill('2')
    await page.getByLabel('Unit').selectOption('weeks')
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Next' }).press('Enter')
    await title(page, 'Email')
    const { maxShareSize, userQuota, defaultExpirationVal, defaultExpirationUnit } =
      service.app.services.settings.values
    assert.equal([maxShareSize, userQuota], [2_500_000_000, 0])
    assert.equal([defaultExpirationVal, defaultExpirationUnit], [2, 'Weeks'])

    // Input that was not saved stays all the same.
    await page.getByRole('button', { name: 'Back' }).press('Enter')
    await page.getByLabel('Storage quota per account').fill('7')
    await page.getByRole('button', { name: 'Back' }).press('Enter')
    await page.getByRole('button', { name: 'Next' }).press('Enter')
    await untilValue(page.getByLabel('Storage quota per account'), '7')
    assert.is(service.app.services.settings.values.userQuota, 0)
    await page.getByRole('button', { name: 'Next' }).press('Enter')
    // The way on without a server is the quiet one; the main one asks for it.
    await page.getByRole('button', { name: 'Save and send test email' }).press('Enter')
    await page.getByText('Fill in this field.').waitFor()
    await page.getByLabel('SMTP server').and(page.locator(':focus')).waitFor()
    await page.getByRole('button', { name: 'Skip' }).press('Enter')
    await title(page, 'Your service is ready')
    await untilCount(page.getByText('Step '), 0)
    await page.locator('a[href="/admin/users"]', { hasText: 'Add accounts' }).waitFor()
    await page.getByRole('link', { name: 'Send your first file' }).press('Enter')
    await page.waitForURL(browser.address('/'))
  },
)

setup('should explain problems with the disk and the proxy, and continue', async () => {
  const marker = path.join(service.storageDir, 'storage-root.json')
  await browser.context.setExtraHTTPHeaders({ 'X-Forwarded-For': '192.0.2.7' })
  const page = await browser.open(link())
  await createAccount(page)
  await page.getByText('TRUST_PROXY does not list').waitFor()
  renameSync(marker, `${marker}.away`)
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('Check that its disk is mounted.').waitFor()
  renameSync(`${marker}.away`, marker)
  await page.getByRole('button', { name: 'Test again' }).click()
  await page.getByText('Disk speed').waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
  await title(page, 'Email')
  // A failure is no sign that the service is set up.
  const failure = { status: 500, json: { error: 'It failed.', code: 'internal' } }
  await page.route('**/api/config', (route) => route.fulfill(failure), { times: 1 })
  await page.reload()
  await page.getByRole('button', { name: 'Try again' }).click()
  await title(page, 'Email')
})

setup('should say what to do about a missing or wrong token, and keep the rest', async () => {
  // The token of an older start is refused before anything is typed.
  const old = await browser.open('/setup#token=of-yesterday')
  await old.getByText('Each start of the service creates a new one').waitFor()
  const page = await browser.open('/setup')
  await page.getByText('The setup token is missing from this address').waitFor()
  await page.getByLabel('Setup token').fill('of-yesterday')
  await page.getByLabel('Name').fill('First')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('Each start of the service creates a new one').waitFor()
  await untilValue(page.getByLabel('Email'), email)
  await page.getByLabel('Setup token').fill(service.app.services.setup.token)
  await page.keyboard.press('Enter')
  await title(page, 'Name and address')
})

setup('should finish at an http address although sign-in needs https', async () => {
  await browser.close()
  await service.stop()
  const env = { BASE_URL: 'https://files.example.org', RATE_LIMIT_LOGIN: 'off' }
  service = await startService({ empty: true, env })
  browser = await startBrowser(service.url, { onLan: true })
  const page = await browser.open(link())
  await createAccount(page)
  await page.getByText('browsers keep you signed in only at that address').waitFor()
  await page.getByLabel('Service name').fill('Files')
  await page.getByRole('button', { name: 'Next' }).click()
  await title(page, 'Storage and limits')
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('button', { name: 'Skip' }).click()
  await title(page, 'Your service is ready')
  assert.is(service.app.services.settings.values.appName, 'Files')
  const onward = page.getByRole('link', { name: 'Sign in' })
  await untilIs(() => onward.getAttribute('href'), 'https://files.example.org/login')
  // A header for https, which this browser got at another address and reports.
  for (const problem of browser.problems.splice(0)) {
    assert.match(problem, 'The Cross-Origin-Opener-Policy header has been ignored')
  }
})
