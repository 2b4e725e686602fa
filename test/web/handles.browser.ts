// Files that Chromium finds again: one click continues after a reload, without choosing them twice.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { browserSuite, dropOn } from '../helpers/browser.ts'
import { untilCount, untilEqual } from '../helpers/reads.ts'
import { until } from '../helpers/until.ts'
import { contents, getLink, heading, recordCount } from './sender.ts'
import { shareIdOf, startScene } from './sender.ts'

const handles = browserSuite('web: send, files found again')

const scene = await startScene()
handles.after(() => scene.stop())
handles.after.each(async () => {
  assert.equal(await scene.browser.closePages(), [])
  for (const { id } of (await scene.owner.get('/api/shares')).json()) {
    await scene.owner.delete(`/api/shares/${id}`)
  }
})

/** A dropped folder, of which b.txt never gets through before the page is left. */
async function leaveHalfway(name: string) {
  const folder = path.join(scene.folder, name)
  mkdirSync(path.join(folder, 'day 2'), { recursive: true })
  writeFileSync(path.join(folder, 'a.txt'), 'first')
  writeFileSync(path.join(folder, 'day 2', 'b.txt'), 'second')
  const page = await scene.browser.open('/')
  await heading(page, 'Send files').waitFor()
  page.on('dialog', (dialog) => dialog.accept())
  const sent: string[] = []
  let isHolding = true
  await page.route('**/chunk', async (route) => {
    const data = route.request().postData() ?? ''
    const file = /name="fileName"\r\n\r\n([^\r]+)/.exec(data)?.[1] ?? '?'
    // Not blocked: waiting chunks may still get away when the page is closed.
    if (isHolding && file.endsWith('b.txt')) return route.abort()
    sent.push(file)
    await route.continue()
  })
  await dropOn(page, folder)
  await page.getByText('45%').first().waitFor()
  await until('it is stored', async () => (await recordCount(page)) > 0)
  // Released after the reload, because the closing page may still send a retry.
  const reload = async () => {
    await page.reload()
    isHolding = false
  }
  return { page, folder, sent, reload }
}

const goOn = (page: Page) => page.getByRole('button', { name: 'Continue' }).click()

handles('should continue after a reload by one click, and send nothing twice', async () => {
  const { page, folder, sent, reload } = await leaveHalfway('Holiday')
  // Files added to the folder later were not chosen.
  writeFileSync(path.join(folder, 'later.txt'), 'third')
  await reload()
  await goOn(page)
  await page.getByText('Uploaded. Private').waitFor()
  await untilCount(page.getByText('Choose the same files'), 0)
  await getLink(page).click()
  await page.getByText('Your link is ready').waitFor()
  assert.equal(sent.toSorted(), ['a.txt', 'b.txt'])
  await untilEqual(() => contents(scene, shareIdOf(page)), {
    'Holiday/a.txt': 'first',
    'Holiday/day 2/b.txt': 'second',
  })
})
