import * as assert from 'uvu/assert'
import type { Page } from 'playwright-core'
import { browserSuite, scrollsSideways } from '../helpers/browser.ts'
import { Guest, makeLink } from '../helpers/client.ts'
import { startScene } from './sender.ts'

const dates = browserSuite('web: dates of files')

const modifiedAt = '2019-03-04T12:00:00.000Z'
const name = 'Ein-langer-Name-ohne-jedes-Leerzeichen.txt'
const dated = { fileId: 'a', originalName: name, size: 1, modifiedAt }
const undated = { fileId: 'b', originalName: 'undated.txt', size: 1 }

/** The text of each list item with its date, if it has one. */
async function rowsOf(page: Page): Promise<[text: string, moment: string | null][]> {
  const rows = page.locator('.rows > li').filter({ hasText: '.txt' })
  await rows.nth(1).waitFor()
  return rows.evaluateAll((items: any[]) =>
    items.map((item) => [
      item.querySelector('.faint').innerText,
      item.querySelector('time')?.dateTime ?? null,
    ]),
  )
}

const { service, owner, another } = await startScene(dates, { mail: false })

dates('should show when files were changed, where that is known', async () => {
  const shareId = await owner.init({ name: 'Papers' })
  const requestId = await makeLink(owner)
  const guest = new Guest(service.client(), requestId)
  await guest.init()
  for (const { fileId } of [dated, undated]) {
    await owner.chunk(shareId, fileId, 0, 'x')
    await guest.chunk(fileId, 0, 'x')
  }
  await owner.finalize(shareId, [dated, undated])
  await guest.finalize([dated, undated])
  const german = ['1\u00a0Byte · 04.03.2019', modifiedAt]
  const without = ['1\u00a0Byte', null]
  for (const javaScript of [true, false]) {
    const browser = await another(owner, { language: 'de-DE', javaScript })
    const owned = [`/shares/${shareId}`, `/requests/${requestId}`]
    for (const path of [`/s/${shareId}`, ...(javaScript ? owned : [])]) {
      const page = await browser.open(path)
      assert.equal(await rowsOf(page), [german, without], path)
      await page.setViewportSize({ width: 320, height: 800 })
      assert.not(await scrollsSideways(page), path)
    }
  }
})
