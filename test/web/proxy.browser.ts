import * as assert from 'uvu/assert'
import type { Page } from 'playwright-core'
import { axeViolations, browserSuite, startBrowser } from '../helpers/browser.ts'
import { enableSecondFactor } from '../accounts/people.ts'
import { startService } from '../helpers/service.ts'
import { untilCount } from '../helpers/until.ts'

const proxy = browserSuite('web: proxy')
const email = 'ann@example.org'
let page: Page

const env = { TRUST_PROXY: '127.0.0.1', PROXY_USER_HEADER: 'Remote-Email' }
const service = await startService({ env: { ...env, PROXY_LOGOUT_URL: 'http://127.0.0.1:1/bye' } })
await service.user(email)
const browser = await startBrowser(service.url)
await browser.context.setExtraHTTPHeaders({ 'Remote-Email': email })

const heading = (name: string) => page.getByRole('heading', { name }).waitFor()

proxy('should show the wanted page without asking', async () => {
  page = await browser.open('/account/sessions')
  await heading('Active sessions')
})

proxy('should begin another session when the last one has ended', async () => {
  await service.database.sql`delete from sessions`
  await page.getByRole('link', { name: 'Profile' }).click()
  await page.getByLabel('Email').waitFor()
  await untilCount(page.getByRole('dialog'), 0)
})

proxy('should open the page of the proxy after signing out, and not begin again', async () => {
  await page.route('http://127.0.0.1:1/bye', (route) => route.fulfill({ body: 'bye' }))
  await page.getByRole('button', { name: /^Account:/ }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL('http://127.0.0.1:1/bye')
  await page.goto(browser.address('/login?next=/shares'))
  await page.getByRole('button', { name: `Continue as ${email}` }).waitFor()
  assert.equal(await axeViolations(page), [])
})

proxy('should continue when asked, with a code where the account has an app', async () => {
  const factor = await enableSecondFactor(service, email)
  await page.getByRole('button', { name: `Continue as ${email}` }).click()
  await page.getByLabel('6-digit code').fill(factor.code())
  await page.getByRole('button', { name: `Continue as ${email}` }).click()
  await page.waitForURL(browser.address('/shares'))
})

proxy('should offer the usual sign-in beside', async () => {
  await browser.context.clearCookies()
  await page.goto(browser.address('/login'))
  await page.getByRole('link', { name: 'Use a different account' }).click()
  await page.getByLabel('Password', { exact: true }).waitFor()
})
