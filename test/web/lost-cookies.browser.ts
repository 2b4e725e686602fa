// Cookies that do not come back: the page says why, and what to do.
import * as assert from 'uvu/assert'
import type { Page } from 'playwright-core'
import { browserSuite, signInAt, startBrowser, type Browser } from '../helpers/browser.ts'
import { adminEmail, adminPassword, startService, type Service } from '../helpers/service.ts'
import { untilCount } from '../helpers/until.ts'
import { makeLink } from '../helpers/client.ts'

const cookies = browserSuite('web: lost cookies')

let service: Service
let browser: Browser

cookies.after.each(async () => {
  // A page for https that came over http is reported for a header.
  const problems = await browser.closePages()
  assert.equal(
    problems.filter((problem) => !/Opener-Policy|401/.test(problem)),
    [],
  )
  await browser.close()
  await service.stop()
})

async function start(BASE_URL: string, onLan: boolean): Promise<void> {
  service = await startService({ env: { BASE_URL, RATE_LIMIT_LOGIN: 'off' } })
  browser = await startBrowser(service.url, { onLan })
}

async function lockedPages(): Promise<string[]> {
  const owner = await service.user('owner@example.org')
  const shareId = await owner.share({ a: 'a' }, { password: 'open sesame' })
  return [`/s/${shareId}`, `/r/${await makeLink(owner, { password: 'open sesame' })}`]
}

async function unlock(page: Page): Promise<void> {
  await page.getByLabel('Password', { exact: true }).fill('open sesame')
  await page.getByRole('button', { name: 'Unlock' }).click()
}

cookies('should say that a page over http cannot sign in to a service with https', async () => {
  await start('https://files.example.org', true)
  const page = await browser.open('/login')
  await signInAt(page, adminEmail, adminPassword)
  await page.getByText('Open this page at its https:// address.').waitFor()
  for (const address of await lockedPages()) {
    const link = await browser.open(address)
    await unlock(link)
    await link.getByText('Open this page at its https:// address.').waitFor()
    // Said once: a page that is opened later asks for the password alone.
    await link.reload()
    await link.getByLabel('Password', { exact: true }).waitFor()
    await untilCount(link.getByText('https:// address'), 0)
  }
})

cookies('should say that the browser blocks cookies', async () => {
  await start('http://files.example.org', false)
  await browser.context.addInitScript(
    `Object.defineProperty(navigator, 'cookieEnabled', { get: () => false })`,
  )
  for (const address of ['/login', ...(await lockedPages())]) {
    const page = await browser.open(address)
    await page.route(/\/(login|verify)$/, async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      const response = await route.fetch()
      // It keeps cookies, too.
      await browser.context.clearCookies()
      const { 'set-cookie': _, ...headers } = response.headers()
      await route.fulfill({ response, headers })
    })
    if (address === '/login') await signInAt(page, adminEmail, adminPassword)
    else await unlock(page)
    await page.getByText('your browser blocks cookies for this site').waitFor()
    await browser.context.clearCookies()
  }
})
