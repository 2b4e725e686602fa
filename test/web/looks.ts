// What every view must stand: axe, and no scrolling sideways. With SHOTS=<folder> it is kept as a
// picture, for people to look at.
import path from 'node:path'
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import {
  axeViolations,
  scrollsSideways,
  startBrowser,
  type Browser,
  type BrowserOptions,
} from '../helpers/browser.ts'

/** Looks at one state of a page. */
export type Check = (page: Page, what: string) => Promise<void>

export async function lookAt(page: Page, what: string): Promise<void> {
  assert.equal(await axeViolations(page), [], what)
  assert.not(await scrollsSideways(page), what)
  const folder = process.env['SHOTS']
  if (folder) await page.screenshot({ path: path.join(folder, `${what}.png`), fullPage: true })
}

/** Runs `look` in light and dark, on a small phone, a phone and a desktop. */
export async function inEveryLook(
  url: string,
  options: BrowserOptions,
  look: (browser: Browser, check: Check) => Promise<void>,
): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    for (const width of [320, 390, 1280]) {
      const browser = await startBrowser(url, { ...options, theme, width })
      await look(browser, (page, what) => lookAt(page, `${what}-${theme}-${width}`))
      assert.equal(browser.problems, [])
      await browser.close()
    }
  }
}
