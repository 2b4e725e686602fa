// Networks, proxies and services that disturb an upload in a browser: the bytes sent are always the
// bytes downloaded, no acknowledged chunk is sent again, and users only have to sign in, or to
// choose the files again after a reload.
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { browserSuite } from '../helpers/browser.ts'
import { randomContent } from '../helpers/content.ts'
import { FaultProxy } from '../helpers/fault-proxy.ts'
import { startAgain, type Restarted } from '../helpers/restart.ts'
import { until } from '../helpers/until.ts'
import { choose, contents, getLink, heading, link } from './sender.ts'
import { onDisk, recordCount, shareIdOf, startScene, type Scene } from './sender.ts'

const faults = browserSuite('web: uploads over unreliable connections')
const mebibyte = 1024 * 1024
/** Three chunks of 1 MiB and a bit, and a small file. */
const film = randomContent(3 * mebibyte + 7, 'film')
const letter = randomContent(5000, 'letter')

let scene: Scene
let proxy: FaultProxy
let restarted: Restarted | null = null

faults.before(async () => {
  scene = await startScene()
  const admin = await scene.service.admin()
  await admin.call('PUT', '/api/config', { json: { maxChunkSize: mebibyte } })
  await admin.close()
})
faults.after(() => scene.stop())
faults.before.each(async () => {
  proxy = await FaultProxy.start(scene.service.url)
})
faults.after.each(async () => {
  // Before the pages are closed: the tests check the errors in their consoles.
  const problems = await scene.browser.closePages()
  await proxy.close()
  await restarted?.close()
  restarted = null
  assert.equal(problems, [])
})

/** Send, seen through the proxy. Browsers send cookies to every port of a host. */
async function open(): Promise<Page> {
  const page = await scene.browser.context.newPage()
  await page.goto(`${proxy.url}/`)
  await heading(page, 'Send files').waitFor()
  return page
}

const chosen = () => onDisk(scene, { 'film.bin': film, 'letter.txt': letter })

/** Asserts the result, after all faults. */
async function assertDelivered(page: Page): Promise<void> {
  await page.getByText('Complete.').waitFor()
  const found = await contents(scene, shareIdOf(page))
  assert.equal(Object.keys(found).toSorted(), ['film.bin', 'letter.txt'])
  assert.ok(Buffer.from(found['film.bin']!, 'latin1').equals(film), 'the film is the same')
  assert.ok(Buffer.from(found['letter.txt']!, 'latin1').equals(letter), 'the text is the same')
  assert.equal(proxy.sentAgain, [])
  assert.is(new Set(proxy.acknowledged).size, proxy.acknowledged.length)
}

faults('should continue when the service is back', async () => {
  proxy.faults.push('pass')
  proxy.usual = 'silent'
  const page = await open()
  await choose(page, chosen())
  await getLink(page).click()
  await heading(page, /^Link copied/).waitFor()
  await link(page).waitFor()
  await until('one chunk is there', () => proxy.acknowledged.length === 1)
  proxy.target = null
  proxy.usual = 'pass'
  proxy.cutAll()
  await page
    .getByText(/Connection lost.|The service is busy./)
    .first()
    .waitFor()
  restarted = await startAgain(scene.service)
  proxy.target = restarted.url
  // In one step, because it also tries again by itself: then there is no button any more.
  await page
    .getByRole('button', { name: 'Try now' })
    .evaluateAll((found) => found.forEach((button) => (button as HTMLElement).click()))
  await assertDelivered(page)
})

faults('should continue after a reload, from the chunk it had reached', async () => {
  proxy.faults.push('pass', 'pass')
  proxy.usual = 'silent'
  const page = await open()
  page.on('dialog', (dialog) => dialog.accept())
  // Written once: a file with another time is another file.
  const files = chosen()
  await choose(page, files)
  await until('two chunks are there', () => proxy.acknowledged.length === 2)
  await until('it is stored', async () => (await recordCount(page)) === 1)
  await page.reload()
  proxy.usual = 'pass'
  await page.getByRole('button', { name: 'Continue' }).click()
  await choose(page, files)
  await getLink(page).click()
  await assertDelivered(page)
  assert.is(proxy.acknowledged.length, Math.ceil(film.length / mebibyte) + 1)
})

faults('should keep everything while signed out, and continue after signing in', async () => {
  const ann = await scene.service.user('ann@example.org')
  await scene.browser.logInAs(ann)
  proxy.faults.push('pass')
  proxy.usual = 'unauthorized'
  const page = await open()
  await choose(page, chosen())
  await until('one chunk is there', () => proxy.acknowledged.length === 1)
  await ann.post('/api/auth/logout')
  const dialog = page.getByRole('dialog', { name: 'Please sign in again' })
  await dialog.getByLabel('Password').fill('password of ann@example.org')
  proxy.usual = 'pass'
  await page.keyboard.press('Enter')
  await getLink(page).click()
  await page.getByText('Complete.').waitFor()
  assert.equal(proxy.sentAgain, [])
  await ann.close()
  await scene.browser.logInAs(scene.owner)
})

faults.run()
