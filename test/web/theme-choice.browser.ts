import * as assert from 'uvu/assert'
import type { Page } from 'playwright-core'
import { axeViolations, browserSuite, type Browser } from '../helpers/browser.ts'
import { untilCount, untilEqual, untilIs, untilValue } from '../helpers/until.ts'
import { makeLink } from '../helpers/client.ts'
import { startScene } from './sender.ts'

const theme = browserSuite('web: light and dark for recipients')

let browser: Browser

const { owner, another } = await startScene(theme, { mail: false })
const share: string = `/s/${await owner.share({ 'a.txt': 'a' }, { name: 'Holiday' })}`
const request: string = `/r/${await makeLink(owner, { name: 'Photos' })}`
theme.before.each(async () => {
  browser = await another()
})

const choice = (page: Page) => page.getByRole('contentinfo').getByLabel('Colours')
const choose = (page: Page, name: string) => choice(page).selectOption({ label: name })
/** What the page paints with. */
const shown = (page: Page) =>
  page.evaluate<string>(
    `getComputedStyle(document.documentElement).colorScheme === 'dark' ? 'dark' : 'other'`,
  )

theme('should be chosen on every page for recipients and guests, and kept', async () => {
  const locked = `/s/${await owner.share({ a: 'a' }, { password: 'open sesame' })}`
  const page = await browser.open(share)
  await choice(page).waitFor()
  const names = choice(page).locator('option')
  await untilEqual(() => names.allInnerTexts(), ['System', 'Light', 'Dark'])
  await untilValue(choice(page), 'system')
  await untilIs(() => shown(page), 'other')
  await choose(page, 'Dark')
  await untilIs(() => shown(page), 'dark')
  for (const path of [share, request, locked, '/s/none', '/r/none', '/nowhere']) {
    await page.goto(browser.address(path), { waitUntil: 'load' })
    await choice(page).waitFor()
    await untilIs(() => shown(page), 'dark', path)
    await untilValue(choice(page), 'dark', path)
    assert.equal(await axeViolations(page), [], path)
  }
  await choose(page, 'System')
  await untilIs(() => shown(page), 'other')
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.reload()
  await untilValue(choice(page), 'system')
})

theme('should be applied before the page is painted, even if its script never comes', async () => {
  const page = await browser.open(share)
  await choose(page, 'Dark')
  for (const path of [share, request]) {
    await page.route(/\/static\/app\/.*\.js$/, (route) => route.abort())
    await page.goto(browser.address(path))
    await untilIs(() => shown(page), 'dark', path)
    await untilCount(choice(page), 0)
    await page.unrouteAll()
  }
})

theme('should be the choice of the account, and the other way round', async () => {
  await browser.logInAs(owner)
  const page = await browser.open('/account')
  await page.getByLabel('Colours').selectOption({ label: 'Dark' })
  await page.goto(browser.address(share))
  await untilValue(choice(page), 'dark')
  await choose(page, 'Light')
  await page.goto(browser.address('/account'))
  await untilValue(page.getByLabel('Colours'), 'light')
})

theme('should follow the device with a spoilt choice, and without storage', async () => {
  const page = await browser.open(share)
  await choice(page).waitFor()
  await page.evaluate(`localStorage.setItem('theme', '"><script>')`)
  await page.reload()
  await untilValue(choice(page), 'system')
  await untilIs(() => shown(page), 'other')
  await page.addInitScript(() =>
    Object.defineProperty(globalThis, 'localStorage', {
      get() {
        throw new Error('denied')
      },
    }),
  )
  await page.reload()
  await choose(page, 'Dark')
  await untilIs(() => shown(page), 'dark')
})
