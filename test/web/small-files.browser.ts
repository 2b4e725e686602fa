// Folders of small files, sent from a browser to the real service in few requests.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page, Route } from 'playwright-core'
import * as assert from 'uvu/assert'
import { browserSuite } from '../helpers/browser.ts'
import { randomContent } from '../helpers/content.ts'
import { FaultProxy } from '../helpers/fault-proxy.ts'
import { until } from '../helpers/until.ts'
import { makeLink } from '../reverse-shares/guest.ts'
import { contents, getLink, heading, holdChunks, recordCount } from './sender.ts'
import { shareIdOf, startScene, type Scene } from './sender.ts'

const small = browserSuite('web: folders of small files')
const mebibyte = 1024 * 1024

let scene: Scene
let proxy: FaultProxy

small.before(async () => {
  scene = await startScene()
})
small.after(() => scene.stop())
small.before.each(async () => {
  proxy = await FaultProxy.start(scene.service.url)
})
small.after.each(async () => {
  const problems = await scene.browser.closePages()
  await proxy.close()
  assert.equal(problems, [])
})

type Files = Record<string, Buffer>

/** Files of many sizes, in folders, some with names that are long or not in ASCII. */
function manyFiles(count: number): Files {
  const content = randomContent(count * 7, 'small files')
  const files: Files = {}
  for (let place = 0; place < count; place++) {
    const label = place % 100 === 0 ? `${'Ä日👍'.repeat(20)} ${place}` : `file ${place}`
    files[`day ${place % 7}/${label}.txt`] = content.subarray(place, place * 3)
  }
  return files
}

/** A folder on disk, and its files as they are called in a share. */
function folderOf(name: string, files: Files): { readonly folder: string; readonly files: Files } {
  const folder = path.join(scene.folder, name)
  const named: Files = {}
  for (const [relative, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, relative)), { recursive: true })
    writeFileSync(path.join(folder, relative), content)
    named[`${name}/${relative}`] = content
  }
  return { folder, files: named }
}

/** Send, seen through the proxy. */
async function open(address = `${proxy.url}/`): Promise<Page> {
  const page = await scene.browser.context.newPage()
  await page.goto(address)
  return page
}

async function chooseFolder(page: Page, folder: string): Promise<void> {
  await page.getByLabel(/(Choose|Add) folder/).setInputFiles(folder)
}

/** Counts uploading requests of a page by their kind. */
function countRequests(page: Page): Record<string, number> {
  const counts: Record<string, number> = { tar: 0, chunk: 0, chunks: 0 }
  page.on('request', (request) => {
    const name = new URL(request.url()).pathname.split('/').at(-1)!
    if (name in counts) counts[name]! += 1
  })
  return counts
}

async function assertDelivered(page: Page, files: Files): Promise<void> {
  await page.getByText('Complete.').waitFor({ timeout: 60_000 })
  const found = await contents(scene, shareIdOf(page))
  const named = Object.entries(files).map(([name, content]) => [name.normalize('NFC'), content])
  assert.equal(Object.keys(found).toSorted(), named.map(([name]) => String(name)).toSorted())
  for (const [name, content] of named) {
    assert.ok(Buffer.from(found[String(name)]!, 'latin1').equals(content as Buffer), String(name))
  }
}

/** Keeps what the page shows as its progress, until it is read. */
async function watchProgress(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(`{
    globalThis.percents = []
    const look = () => {
      const bar = document.querySelector('progress[aria-label="Upload progress"]')
      if (bar && bar.value !== percents.at(-1)) percents.push(bar.value)
    }
    const all = { subtree: true, childList: true, attributes: true }
    new MutationObserver(look).observe(document, all)
  }`)
  return () => page.evaluate<number[]>('percents')
}

small('should send 3,000 files and a large one in few requests', async () => {
  const film = randomContent(20 * mebibyte, 'film')
  const { folder, files } = folderOf('Many', { ...manyFiles(3000), 'film.bin': film })
  const page = await open()
  const requests = countRequests(page)
  await chooseFolder(page, folder)
  // Until all files are added, their total grows, too.
  await page.getByRole('heading', { name: /^3,001 files/ }).waitFor()
  const percents = await watchProgress(page)
  await getLink(page).click()
  await assertDelivered(page, files)
  assert.ok(requests['tar']! <= 8, `${requests['tar']} archives`)
  assert.ok(requests['chunk']! <= 20, `${requests['chunk']} chunks`)
  const shown = await percents()
  assert.equal(
    shown,
    shown.toSorted((a, b) => a - b),
  )
  assert.equal(proxy.sentAgain, [])
})

small('should continue after broken connections and lost answers', async () => {
  const { folder, files } = folderOf('Broken', manyFiles(1000))
  proxy.faults.push('cut', 'unheard', 'bad gateway')
  const page = await open()
  await chooseFolder(page, folder)
  await page.getByRole('heading', { name: /^1,000 files/ }).waitFor()
  const percents = await watchProgress(page)
  await getLink(page).click()
  await assertDelivered(page, files)
  assert.equal(proxy.sentAgain, [])
  const shown = await percents()
  assert.equal(
    shown,
    shown.toSorted((a, b) => a - b),
  )
})

small('should send chunks to a service that takes no archives, and ask once', async () => {
  const { folder, files } = folderOf('Older', manyFiles(150))
  proxy.refusesTars = true
  const page = await open()
  const requests = countRequests(page)
  await chooseFolder(page, folder)
  await getLink(page).click()
  await assertDelivered(page, files)
  await page.getByRole('link', { name: 'New share' }).click()
  await heading(page, 'Send files').waitFor()
  const before = requests['tar']!
  assert.ok(before <= 2, `${before} archives`)
  await chooseFolder(page, folder)
  await getLink(page).click()
  await assertDelivered(page, files)
  assert.is(requests['tar'], before)
})

small('should send smaller archives through a proxy that accepts 1 MB', async () => {
  const { folder, files } = folderOf('Proxied', manyFiles(1500))
  proxy.bodyBytesMax = 1_000_000
  const page = await open()
  const requests = countRequests(page)
  await chooseFolder(page, folder)
  await getLink(page).click()
  await assertDelivered(page, files)
  assert.ok(requests['tar']! + requests['chunk']! < 30, JSON.stringify(requests))
})

small('should continue after a reload with the same folder, and send nothing twice', async () => {
  const { folder, files } = folderOf('Reloaded', manyFiles(2500))
  const page = await open()
  page.on('dialog', (dialog) => dialog.accept())
  // A part of the files is there, the others hang.
  proxy.faults.push('pass')
  proxy.usual = 'silent'
  await chooseFolder(page, folder)
  await until('an archive is there', () => proxy.acknowledged.length > 0)
  await until('it is stored', async () => (await recordCount(page)) === 1)
  proxy.usual = 'pass'
  await page.reload()
  const requests = countRequests(page)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Choose the same files or folders again').waitFor()
  await chooseFolder(page, folder)
  await page.getByText('Uploaded. Private').waitFor()
  await getLink(page).click()
  await assertDelivered(page, files)
  assert.equal(proxy.sentAgain, [])
  assert.ok(requests['chunks']! >= 1)
})

small('should pause, remove a file of a running archive, and cancel', async () => {
  const { folder, files } = folderOf('Held', manyFiles(9))
  const page = await open()
  const release = await holdChunks(page)
  await chooseFolder(page, folder)
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('· paused').waitFor()
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('button', { name: 'Remove file 5.txt' }).click()
  await release()
  await page.getByText('Uploaded. Private').waitFor()
  await getLink(page).click()
  delete files['Held/day 5/file 5.txt']
  await assertDelivered(page, files)

  const other = await open()
  await holdChunks(other)
  await chooseFolder(other, folder)
  await other.getByRole('button', { name: 'Cancel upload' }).click()
  const dialog = other.getByRole('dialog', { name: 'Cancel this upload?' })
  await dialog.getByRole('button', { name: 'Clear list' }).click()
  await dialog.waitFor({ state: 'detached' })
  const drafts = (await scene.owner.get('/api/shares')).json<{ status: string }[]>()
  assert.equal(
    drafts.filter(({ status }) => status !== 'complete'),
    [],
  )
})

small('should skip files that vanished or changed since they were chosen', async () => {
  const { folder, files } = folderOf('Changed', manyFiles(60))
  const page = await open()
  const start = await holdStart(page)
  await chooseFolder(page, folder)
  await until('the upload starts', () => start.isHeld())
  writeFileSync(path.join(folder, 'day 5/file 5.txt'), 'longer than it was before')
  writeFileSync(path.join(folder, 'day 6/file 6.txt'), '')
  await start.release()
  await page.getByText('Uploaded. Private').waitFor()
  await getLink(page).click()
  delete files['Changed/day 5/file 5.txt']
  delete files['Changed/day 6/file 6.txt']
  await assertDelivered(page, files)
})

/** Holds the request that creates the draft, before any file is read. */
async function holdStart(page: Page) {
  const held: Route[] = []
  await page.route('**/api/shares/init', (route) => void held.push(route))
  return { isHeld: () => held.length > 0, release: () => held[0]!.continue() }
}

small('should deliver the files of a guest', async () => {
  const { folder, files } = folderOf('Guest', manyFiles(500))
  const id = await makeLink(scene.owner, { name: 'Project X' })
  const page = await open(`${proxy.url}/r/${id}`)
  const requests = countRequests(page)
  await chooseFolder(page, folder)
  await page.getByRole('button', { name: /^Send 500 files/ }).click()
  await page.getByRole('heading', { name: 'Thank you' }).waitFor()
  assert.ok(requests['tar']! <= 3, `${requests['tar']} archives`)
  assert.is(requests['chunk'], 0)
  const [delivery] = (await scene.owner.get(`/api/reverse/${id}/deliveries`)).json<any[]>()
  assert.is(delivery.files.length, 500)
  for (const { id: fileId, original_name } of delivery.files) {
    const { body } = await scene.owner.get(`/api/reverse/files/${fileId}/download`)
    assert.ok(body.equals(files[original_name]!), original_name)
  }
})

small.run()
