// Uploads under difficult conditions: in a hidden tab, beside a second tab, and on a slow machine
// with very many files.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { browserSuite, stopClock } from '../helpers/browser.ts'
import { FaultProxy } from '../helpers/fault-proxy.ts'
import { until } from '../helpers/until.ts'
import { choose, contents, file, getLink, heading, holdChunks, link } from './sender.ts'
import { recordCount, shareIdOf, startScene, type Scene } from './sender.ts'

const conditions = browserSuite('web: uploads under hard conditions')

let scene: Scene

conditions.before(async () => {
  scene = await startScene()
})
conditions.after(() => scene.stop())
conditions.after.each(async () => {
  assert.equal(await scene.browser.closePages(), [])
})

/** Hides a tab like a browser: sets its visibility and draws nothing any more. */
async function hide(page: Page): Promise<void> {
  await page.evaluate(`{
    Object.defineProperty(document, 'visibilityState', { value: 'hidden' })
    Object.defineProperty(document, 'hidden', { value: true })
    globalThis.requestAnimationFrame = () => 0
    document.dispatchEvent(new Event('visibilitychange'))
  }`)
}

/** The most that browsers let a hidden tab do: each due timer runs once a minute. */
const wakeOnce = (page: Page) => page.clock.fastForward(60_000)

conditions('should continue in a hidden tab, whose timers run once a minute', async () => {
  const proxy = await FaultProxy.start(scene.service.url)
  const page = await scene.browser.openWithClock(proxy.url)
  await heading(page, 'Send files').waitFor()
  proxy.usual = 'bad gateway'
  const files = { 'a.txt': 'first', 'b.txt': 'second', 'c.txt': 'third' }
  await choose(
    page,
    Object.entries(files).map(([name, content]) => file(name, content)),
  )
  await getLink(page).click()
  await heading(page, /^Link copied/).waitFor()
  await link(page).waitFor()
  const shareId = shareIdOf(page)
  await hide(page)
  await stopClock(page)
  const before = proxy.chunksCome
  for (let minute = 0; minute < 6; minute += 1) await wakeOnce(page)
  // On a slow machine an answer of before comes only now, and is followed by another wait.
  await until('it keeps trying', async () => {
    await wakeOnce(page)
    return proxy.chunksCome > before
  })
  assert.equal(proxy.acknowledged, [])
  proxy.usual = 'pass'
  const state = async () => (await scene.owner.get(`/api/shares/${shareId}`)).json().status
  await until('it is complete', async () => {
    await wakeOnce(page)
    return (await state()) === 'complete'
  })
  // Chunks may be sent twice: a running one looks silent when a minute is skipped.
  assert.equal(await contents(scene, shareId), files)
  await until('the window says so', async () => {
    await wakeOnce(page)
    return (await page.title()) === 'Your link is ready – Transfer'
  })
  await proxy.close()
})

conditions('should send in one tab, and say so in another', async () => {
  const first = await scene.browser.open('/')
  const release = await holdChunks(first)
  await choose(first, [file('a.txt', 'first'), file('b.txt', 'second')])
  await until('it is stored', async () => (await recordCount(first)) === 1)
  const second = await scene.browser.open('/')
  let sentBySecond = 0
  await second.route('**/chunk', async (route) => {
    sentBySecond += 1
    await route.continue()
  })
  await second.getByText('Unfinished: a.txt (0 bytes of 11 bytes)').waitFor()
  for (const _ of ['once', 'and again']) {
    await second.getByRole('button', { name: 'Continue' }).click()
    await second.getByText('Another tab of this browser is uploading these files.').waitFor()
  }
  await release()
  await first.getByText('Uploaded. Private').waitFor()
  await getLink(first).click()
  await first.getByText('Complete.').waitFor()
  assert.equal(await contents(scene, shareIdOf(first)), { 'a.txt': 'first', 'b.txt': 'second' })
  assert.is(sentBySecond, 0)
  await second.reload()
  await until('it is deleted', async () => (await recordCount(second)) === 0)
  assert.is(await second.getByText('Unfinished').count(), 0)
})

const manyFiles = async () => {
  const folder = path.join(scene.folder, 'Many')
  mkdirSync(folder)
  const names = Array.from({ length: 2000 }, (_, n) => `file ${1000 + n}.txt`)
  for (const name of names) writeFileSync(path.join(folder, name), name)
  const page = await scene.browser.open('/')
  const devtools = await scene.browser.context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.getByLabel(/(Choose|Add) folder/).setInputFiles(folder)
  await page.getByRole('heading', { name: '2,000 files' }).waitFor()
  await page.getByRole('button', { name: /^Many/ }).click()
  const rows = page.getByRole('listitem')
  await page.getByRole('button', { name: 'Show more (1,800 left)' }).waitFor()
  // The folder and the button are rows too.
  assert.ok((await rows.count()) <= 202, `${await rows.count()} rows`)
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByRole('button', { name: 'Show more (1,600 left)' }).waitFor()
  // Files removed while bytes are moving are not uploaded.
  await page.getByRole('button', { name: 'Remove file 1000.txt' }).click()
  await page.getByRole('heading', { name: '1,999 files' }).waitFor()
  await getLink(page).click()
  await heading(page, /^Link copied|^Your link/).waitFor()
  // Nothing else changes the list, at any speed of the machine.
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await page.getByText('Complete.').waitFor({ timeout: 240_000 })
  const found = await contents(scene, shareIdOf(page))
  assert.is(Object.keys(found).length, 1999)
  assert.not('Many/file 1000.txt' in found)
  assert.is(found['Many/file 2999.txt'], 'file 2999.txt')
}
conditions('should stay usable with 2,000 files on a machine four times slower', manyFiles)

conditions.run()
