// The documentation site in a browser: search, code blocks, menu, and its looks at every width.
import * as assert from 'uvu/assert'
import type { Page } from 'playwright-core'
import { axeViolations, browserSuite, startBrowser } from '../helpers/browser.ts'
import { until, untilCount, untilIs, untilMatch } from '../helpers/until.ts'
import { startDocsSite } from './docs-site.ts'

const pages = browserSuite('docs: pages in a browser')
const phone = 390

const site = await startDocsSite('https://files.example.org')
const browser = await startBrowser(site.url)
pages.after(() => site.close())
pages.after.each(async () => {
  // Chromium reports the expected 404 of a missing page.
  const problems = (await browser.closePages()).filter((text) => !/404/.test(text))
  assert.equal(problems, [])
})

/** What people type, and the page that helps. A title or section that contains it comes first. */
const searches: readonly (readonly [words: string, path: string])[] = [
  ['logo', '/docs/settings#logo-and-colours'],
  ['docker', '/docs/container'],
  ['limit', '/docs/limits'],
  ['quota', '/docs/administer#storage-quotas'],
  ['backup', '/docs/backup'],
  ['smtp', '/docs/email#connect-an-smtp-server'],
  ['nginx', '/docs/proxy#nginx'],
  ['https', '/docs/vps#5-add-https'],
  ['2fa', '/docs/sign-in'],
  ['curl', '/docs/command-line'],
  ['postgres', '/docs/postgresql'],
  ['health', '/docs/monitoring#health-checks'],
  ['api token', '/docs/accounts#api-tokens'],
  ['download limit', '/docs/send#create-a-share'],
  ['passwrd', '/docs/accounts#password-and-email-address'],
  ['finalize', '/docs/shares-api'],
  ['changelog', '/docs/changes'],
]

async function searchFor(page: Page, words: string): Promise<string> {
  const count = page.locator('#found-count')
  await page.fill('#search', '')
  await count.filter({ hasNotText: 'result' }).waitFor({ state: 'attached' })
  await page.fill('#search', words)
  await count.filter({ hasText: 'result' }).waitFor({ state: 'attached' })
  return (await page.locator('#found a').first().getAttribute('href'))!
}

pages('should find what people type, with titles before keywords before text', async () => {
  const page = await browser.open('/')
  const wrong: string[] = []
  for (const [words, path] of searches) {
    const first = await searchFor(page, words)
    if (first !== path) wrong.push(`${words}: ${first} instead of ${path}`)
  }
  assert.equal(wrong, [])
  await searchFor(page, 'password')
  const unmarked = page.locator('#found a').filter({ hasNot: page.locator('mark') })
  await untilCount(unmarked, 0, 'results without the word')
})

pages('should search from the keyboard, and lead to the place of a result', async () => {
  const page = await browser.open('/docs/start')
  await page.keyboard.press('/')
  await page.keyboard.type('quota')
  await page.locator('#found a').first().waitFor()
  assert.equal(await axeViolations(page), [])
  const first = page.locator('#found a').first()
  await untilMatch(() => first.innerText(), 'Storage quotas · Manage accounts')
  await untilIs(() => first.locator('b mark').innerText(), 'quotas')
  await until(async () =>
    assert.ok((await first.locator('small mark').count()) > 0, 'the words around the match'),
  )
  await untilIs(() => first.getAttribute('aria-selected'), 'true')
  await page.keyboard.press('ArrowDown')
  await untilIs(() => page.locator('#found a').nth(1).getAttribute('aria-selected'), 'true')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/docs/administer#storage-quotas')
  await page.keyboard.press('/')
  await page.keyboard.type('zzzz')
  await page.getByText('No results', { exact: true }).waitFor()
  assert.equal(await axeViolations(page), [])
  await page.keyboard.press('Escape')
  await untilIs(() => page.locator('#found').isVisible(), false)
  await untilIs(() => page.inputValue('#search'), '')
})

pages('should open the menu on a phone without a script, and close it', async () => {
  const plain = await startBrowser(site.url, { javaScript: false, width: phone })
  const page = await plain.open('/docs/start')
  await untilIs(() => page.locator('.search').isVisible(), false, 'the search needs a script')
  await page.getByRole('link', { name: 'Menu' }).click()
  const shown = page.locator('nav').getByRole('link', { name: 'Install on a VPS' })
  await until(async () => assert.ok((await shown.boundingBox())!.y < 400))
  await page.getByRole('link', { name: 'Close menu' }).click()
  await until(async () => assert.ok((await shown.boundingBox())!.y > 800))
  await plain.close()
})

pages('should open the operation that an address points to', async () => {
  const page = await browser.open('/reference#initShare')
  await page.locator('#initShare').getByText('expirationVal', { exact: true }).waitFor()
})
