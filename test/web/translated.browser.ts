// Pages that Chrome translates: it puts a <font> in the place of each text.
import type { Locator, Page } from 'playwright-core'
import { browserSuite, holdRoute } from '../helpers/browser.ts'
import { untilNoMatch } from '../helpers/until.ts'
import { choose, file, publish, holdChunks, startScene } from './sender.ts'

const translated = browserSuite('web: translated pages')

const scene = await startScene(translated)

type Translate = (page: Page) => Promise<void>

/**
 * As Chrome does, also with what is added later: in one change, or in two and then once more into
 * another language.
 */
const translateBy = (way: 'once' | 'twice'): Translate => {
  return async (page) => {
    await page.evaluate(`(() => {
      const show = (former, words) => {
        const font = document.createElement('font')
        const inner = document.createElement('font')
        inner.textContent = '«' + words + '»'
        font.append(inner)
        if (${way === 'once'}) former.replaceWith(font)
        else {
          former.before(font)
          former.remove()
        }
        return font
      }
      const change = (root) => {
        const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
        const texts = []
        while (walker.nextNode()) texts.push(walker.currentNode)
        for (const text of texts) {
          const skipped = 'font, script, style, [translate="no"]'
          if (!text.data.trim() || text.parentElement.closest(skipped)) continue
          const font = show(text, text.data)
          if (${way === 'twice'}) show(font, text.data)
        }
      }
      change(document.body)
      new MutationObserver((records) => {
        for (const { target } of records) if (target.isConnected) change(target)
      }).observe(document.body, { childList: true, characterData: true, subtree: true })
    })()`)
    await page.getByText('«').first().waitFor()
  }
}

const lacks = (place: Locator, words: RegExp) => untilNoMatch(() => place.innerText(), words)

const pages: Record<string, (translate: Translate) => Promise<void>> = {
  async 'a share that is being sent'(translate) {
    const page = await scene.browser.open('/')
    const release = await holdChunks(page)
    await choose(page, [file('holiday.txt', 'sun'), file('bill.txt', 'rain')])
    await page.getByText('holiday.txt').waitFor()
    await page
      .getByText(/waiting|0%/)
      .first()
      .waitFor()
    await translate(page)
    await release()
    await page.getByText('Uploaded. Private').waitFor()
    const main = page.getByRole('main')
    // Names stay as they are.
    await lacks(main, /waiting|0%|«holiday.txt»/)
    await publish(page)
  },

  async 'the page of a recipient'(translate) {
    const files = { 'hut.txt': 'wood', 'beach.txt': 'sand' }
    const shareId = await scene.owner.share(files, { maxDownloads: 5 })
    const page = await scene.browser.context.newPage()
    const texts = await holdRoute(page, '**/share.en-*.js')
    await page.goto(scene.browser.address(`/s/${shareId}`))
    await translate(page)
    texts.open()
    await page.getByRole('button', { name: 'Select' }).click()
    const main = page.getByRole('main')
    for (const [name, chosen] of [
      ['hut.txt', /1 .*4 bytes/],
      ['beach.txt', /2 .*8 bytes/],
    ] as const) {
      await page.getByRole('checkbox', { name }).check()
      await main.getByRole('link', { name: chosen }).waitFor()
    }
    await page.getByRole('button', { name: 'Cancel' }).click()
    await scene.owner.patch(`/api/shares/${shareId}`, { maxDownloads: 3 })
    await page.evaluate(`dispatchEvent(new Event('focus'))`)
    await page.getByText('by 3 more people').waitFor()
    await lacks(main, /5 more people|«hut.txt»/)
  },
}

for (const way of ['once', 'twice'] as const) {
  for (const [name, follow] of Object.entries(pages)) {
    translated(`should go on changing ${name} (translated ${way})`, () => follow(translateBy(way)))
  }
}
