// Requirements of every view in one check: axe in light and dark, no sideways scrolling on a small
// phone, a phone and a desktop, right to left as well, one heading and a title, no motion where
// reduced motion is set, nothing that disappears in forced colours. 320 px are 1280 px at a zoom of
// 400 %.
// With SHOTS=<folder> it is saved as pictures, for people to look at.
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { axeViolations, scrollsSideways } from '../helpers/browser.ts'
import { keepScreenshot } from '../helpers/screenshot.ts'
import { untilCount, untilMatch } from '../helpers/until.ts'

const widths = [320, 1280, 390]
/** Dark differs from light in its colours, which hardly depend on the width. */
const darkWidths = [1280, 320, 390]
const height = 800
/** For windows up to 1600 px wide; a page with a zoom of 200 % has half of the window. */
const wordWidths = [
  ...new Set([
    641,
    ...Array.from({ length: 33 }, (_, n) => 320 + 40 * n),
    ...Array.from({ length: 25 }, (_, n) => 320 + 20 * n),
  ]),
]

/** Shows a page at one width after the other, and restores its width. */
async function atEveryWidth(
  page: Page,
  look: (width: number) => Promise<void>,
  from: readonly number[] = widths,
): Promise<void> {
  const before = page.viewportSize()!
  for (const width of from) {
    await page.setViewportSize({ width, height })
    await look(width)
  }
  await page.setViewportSize(before)
}

/** No two buttons of a dialog begin with the same word: people read no further. */
async function assertDistinctButtons(page: Page, what: string): Promise<void> {
  const labels = await page.locator('dialog[open] button:visible').allInnerTexts()
  const words = labels.map((label) => label.trim().split(/\s/)[0]).filter(Boolean)
  assert.equal(words.length, new Set(words).size, `${what}: ${labels.join(', ')}`)
}

/** Colours that are still changing have no contrast yet. */
async function settleColours(page: Page): Promise<void> {
  await page.evaluate('Promise.allSettled(document.getAnimations().map((one) => one.finished))')
}

/** Checks one state of a page, which is as before afterwards. */
export async function lookAt(page: Page, what: string): Promise<void> {
  await assertHeaded(page, what)
  await assertDistinctButtons(page, what)
  await settleColours(page)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  assert.equal(await moving(page), [], `${what}: moves`)
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    await settleColours(page)
    const isDark = theme === 'dark'
    const check = async (width: number) => {
      const where = `${what}-${theme}-${width}`
      // Of all rules only the one about contrast depends on colours.
      const rules = isDark ? ['color-contrast'] : []
      assert.equal(await axeViolations(page, rules), [], where)
      await keepScreenshot(page, where)
    }
    await atEveryWidth(page, check, isDark ? darkWidths : widths)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await assertRoomy(page, what)
  await assertWholeWords(page, what)
  await page.emulateMedia({ forcedColors: 'active' })
  assert.equal(await vanished(page), [], `${what}: vanishes in forced colours`)
  await page.emulateMedia({ forcedColors: 'none', reducedMotion: 'no-preference' })
}

/** Asserts that nothing is pushed out of the page, in both directions. */
export async function assertRoomy(page: Page, what: string): Promise<void> {
  await atEveryWidth(page, async (width) => {
    for (const direction of ['rtl', 'ltr']) {
      await page.evaluate(`document.documentElement.dir = '${direction}'`)
      const where = `${what}-${direction}-${width}`
      if (direction === 'rtl') await keepScreenshot(page, where)
      assert.equal(await sticksOut(page), [], where)
      assert.not(await scrollsSideways(page), where)
    }
  })
}

/** Asserts that no word of a button, a tab or the head of a column is continued on another line. */
export async function assertWholeWords(
  page: Page,
  what: string,
  from: readonly number[] = wordWidths,
): Promise<void> {
  const check = async (width: number) => {
    assert.equal(await cutWords(page), [], `${what}-${width}: cut words`)
  }
  await atEveryWidth(page, check, from)
}

/** Asserts one visible `<h1>`, and a title with text before or after the separator. */
async function assertHeaded(page: Page, what: string): Promise<void> {
  await untilCount(page.locator('h1'), 1, `${what}: one heading`)
  await untilMatch(() => page.title(), /\S – \S/, `${what}: a title`)
}

// As text from here on: the tests' types know no document. Each finds elements by their computed
// styles, and names them.

const named = `(element) => element.tagName.toLowerCase() + '.' + element.className`

/** Elements that move or change gradually. */
function moving(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('*')]
    .filter((element) => {
      const { transitionDuration, animationDuration } = getComputedStyle(element)
      return [transitionDuration, animationDuration].join().split(',')
        .some((duration) => parseFloat(duration) > 0)
    })
    .map(${named})`)
}

/** Elements that start before the page or end behind it, unless inside of a scroll container. */
function sticksOut(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('body *')]
    .filter((element) => {
      const { left, right, width, height } = element.getBoundingClientRect()
      if (width <= 1 || height <= 1) return false
      if (left >= -1 && right <= document.documentElement.clientWidth + 1) return false
      for (let around = element; around; around = around.parentElement) {
        const { overflowX, visibility, clipPath } = getComputedStyle(around)
        if (overflowX !== 'visible' || visibility === 'hidden' || clipPath !== 'none') return false
      }
      return true
    })
    .map(${named})`)
}

/** Words on more than one line. Names may be long, so that they alone may break. */
function cutWords(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const cut = []
    const heads = 'button, .button, .tabs a, .nav a, .parts a, th:not([scope=row]), label'
    for (const element of document.querySelectorAll(heads)) {
      // Hidden ones are for screen readers only.
      const isClipped = getComputedStyle(element).clipPath !== 'none'
      if (!element.checkVisibility() || element.offsetWidth <= 1 || isClipped) continue
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        if (text.parentElement.closest('bdi')) continue
        for (const { 0: word, index } of text.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
          const range = document.createRange()
          range.setStart(text, index)
          range.setEnd(text, index + word.length)
          if (range.getClientRects().length > 1) cut.push(word)
        }
      }
    }
    return cut
  })()`)
}

/** Controls without border, background or text, and text in the colour of its background. */
function vanished(page: Page): Promise<string[]> {
  return page.evaluate<
    string[]
  >(`[...document.querySelectorAll('button, a, input, select, textarea, progress, h1, p, svg')]
    .filter((element) => {
      const shown = { visibilityProperty: true, opacityProperty: true }
      if (!element.checkVisibility(shown)) return false
      const style = getComputedStyle(element)
      let around = element
      while (around.parentElement && /, 0\\)$/.test(getComputedStyle(around).backgroundColor)) {
        around = around.parentElement
      }
      const ground = getComputedStyle(around).backgroundColor
      const isField = element.matches('input:not([type=file], [type=checkbox], [type=radio]), select, textarea')
      if (isField) return style.borderTopWidth === '0px' || style.borderTopColor === ground
      if (element.matches('progress')) return style.appearance === 'none'
      if (element.matches('svg')) return [style.fill, style.stroke].every((paint) => paint === 'none' || paint === ground)
      return style.color === ground
    })
    .map(${named})`)
}
