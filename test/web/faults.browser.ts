// Networks, proxies and services that disturb an upload in a browser: the bytes sent are always the
// bytes downloaded, no acknowledged chunk is sent again, and users only have to sign in, or to
// choose the files again after a reload.
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { browserSuite, stopClock } from '../helpers/browser.ts'
import { randomContent } from '../helpers/content.ts'
import { FaultProxy } from '../helpers/fault-proxy.ts'
import { startAgain, type Restarted } from '../helpers/restart.ts'
import { until } from '../helpers/until.ts'
import { choose, contents, getLink, heading, holdChunks, link } from './sender.ts'
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

faults('should send every byte although connections end at 30 % of a chunk', async () => {
  // Chromium repeats a request by itself when a reused connection ends: several must.
  proxy.faults.push('pass')
  proxy.usual = 'cut'
  const page = await open()
  await choose(page, chosen())
  await getLink(page).click()
  await page.getByText('No connection.').waitFor()
  proxy.usual = 'pass'
  proxy.faults.push('pass', 'cut')
  await page.getByText('Connected again.').waitFor()
  await assertDelivered(page)
})

faults('should restart by itself what has been silent for too long', async () => {
  const page = await scene.browser.openWithClock(proxy.url)
  proxy.faults.push('silent', 'silent')
  await choose(page, chosen())
  await getLink(page).click()
  await heading(page, /^Link copied/).waitFor()
  await until('both hang', () => proxy.chunksCome === 2)
  await page.clock.runFor(15_000)
  assert.is(proxy.chunksCome, 2)
  assert.equal(proxy.acknowledged, [])
  // Twenty seconds without a byte are a stall, and a minute when all bytes had left.
  await until('it restarts', async () => {
    await page.clock.runFor(5000)
    return proxy.chunksCome > 2
  })
  await assertDelivered(page)
})

faults('should learn about acknowledged chunks when the answer was lost', async () => {
  proxy.faults.push('unheard', 'pass', 'unheard')
  const page = await open()
  await choose(page, chosen())
  await getLink(page).click()
  await assertDelivered(page)
})

faults('should pass a proxy that accepts bodies of at most 1 MB', async () => {
  proxy.bodyBytesMax = 1_000_000
  const page = await open()
  await choose(page, chosen())
  await getLink(page).click()
  await assertDelivered(page)
  assert.is(proxy.acknowledged.length, Math.ceil(film.length / (mebibyte / 2)) + 1)
  // The limit of the site is known from now on: nothing is refused again.
  proxy.acknowledged.splice(0)
  await page.getByRole('link', { name: 'New share' }).click()
  await choose(page, chosen())
  await getLink(page).click()
  await assertDelivered(page)
})

faults('should pass the list of many files through a proxy that would refuse it', async () => {
  const names = Array.from({ length: 500 }, (_, index) => `a file of a long folder, ${index}.txt`)
  const files = onDisk(scene, Object.fromEntries(names.map((name) => [name, name])))
  const page = await open()
  await choose(page, files)
  await page.getByText('Uploaded. Private').waitFor()
  // The list of 500 files would be about 100 KB.
  proxy.bodyBytesMax = 30_000
  await getLink(page).click()
  await page.getByText('Complete.').waitFor()
  const found = await contents(scene, shareIdOf(page))
  assert.equal(Object.keys(found).toSorted(), names.toSorted())
})

faults('should wait while a proxy says that the service is down', async () => {
  proxy.faults.push('bad gateway', 'bad gateway', 'bad gateway')
  const page = await open()
  await choose(page, chosen())
  await getLink(page).click()
  await page.getByText(/The service is busy. .* trying again in \d+ s/).waitFor()
  await assertDelivered(page)
})

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

faults('should show waiting files as soon as anything gets through', async () => {
  const page = await scene.browser.openWithClock(proxy.url)
  const release = await holdChunks(page)
  await choose(page, chosen())
  await page.getByText('0% ·').waitFor()
  let refused = 0
  await page.route('**/api/shares', async (route) => {
    await route.abort()
    refused += 1
  })
  await page.getByRole('link', { name: 'Shares' }).click()
  await page.getByText('No connection.').waitFor()
  await stopClock(page)
  await until('it waits for seconds', async () => {
    if (refused < 4) await page.clock.runFor(1000)
    return refused >= 4
  })
  // Its time does not come any more.
  await page.unroute('**/api/shares')
  assert.is(await page.getByRole('row').count(), 0)
  await release()
  await page.getByRole('rowheader', { name: 'film' }).first().waitFor()
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
