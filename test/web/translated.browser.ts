// Pages that Chrome translates: it puts a <font> in the place of each text.
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { browserSuite } from '../helpers/browser.ts'
import { choose, file, getLink, holdChunks, startScene, type Scene } from './sender.ts'

const translated = browserSuite('web: translated pages')

let scene: Scene

translated.before(async () => {
  scene = await startScene()
})
translated.after(() => scene.stop())
translated.after.each(async () => {
  assert.equal(await scene.browser.closePages(), [])
})

/** As Chrome does, also with what is added later; one way with one change, one with two. */
const translate = (page: Page, way: 'replace' | 'insert') =>
  page.evaluate(`(() => {
    const change = (root) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      const texts = []
      while (walker.nextNode()) texts.push(walker.currentNode)
      for (const text of texts) {
        const element = text.parentElement
        if (!text.data.trim() || element.closest('font, script, style, [translate="no"]')) continue
        const font = document.createElement('font')
        const inner = document.createElement('font')
        inner.textContent = '«' + text.data + '»'
        font.append(inner)
        if (${way === 'replace'}) text.replaceWith(font)
        else {
          text.before(font)
          text.remove()
        }
      }
    }
    change(document.body)
    new MutationObserver((records) => {
      for (const { target } of records) if (target.isConnected) change(target)
    }).observe(document.body, { childList: true, characterData: true, subtree: true })
  })()`)

for (const way of ['replace', 'insert'] as const) {
  translated(`should go on changing what it shows (${way})`, async () => {
    const page = await scene.browser.open('/')
    const release = await holdChunks(page)
    await choose(page, [file('holiday.txt', 'sun'), file('bill.txt', 'rain')])
    await page.getByText('holiday.txt').waitFor()
    await page
      .getByText(/waiting|0%/)
      .first()
      .waitFor()
    await translate(page, way)
    await page.getByText('«').first().waitFor()
    await release()
    await page.getByText('Uploaded. Private').waitFor()
    const main = page.getByRole('main')
    await main.getByText('done').first().waitFor()
    const words = await main.innerText()
    assert.not.match(words, /waiting|0%/)
    assert.match(words, 'done')
    // Names stay as they are.
    assert.not.match(words, '«holiday.txt»')
    await getLink(page).click()
    await page.getByText('Complete.').waitFor()
  })
}

translated.run()
