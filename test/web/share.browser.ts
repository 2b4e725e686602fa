import * as assert from 'uvu/assert'
import type { Locator, Page } from 'playwright-core'
import { browserSuite, holdRoute, saved, stopClock } from '../helpers/browser.ts'
import { downloadCount } from '../bytes/send/scene.ts'
import { dayMs } from '../../src/lib/clock.ts'
import { readArchive } from '../bytes/archive/zip/archive-reader.ts'
import { Gate, until, untilCount, untilIs, untilNoMatch, untilNot } from '../helpers/until.ts'
import { startScene } from './sender.ts'

const share = browserSuite("web: the recipient's page")

const scene = await startScene(share, { as: 'nobody', mail: false })
const { service, owner, browser, another } = scene

const holiday = {
  'Holiday/beach.txt': 'sand',
  'Holiday/day 2/hut.txt': 'wood',
  'notes.txt': 'water, bread',
}

function entryNames(zip: Buffer): string[] {
  const { entries } = readArchive(zip.length, (start, end) => zip.subarray(start, end))
  return entries.map(({ name }) => name)
}

/** Until the script has listed the file of a share; its row has no visible button. */
async function untilListed(page: Page): Promise<void> {
  await page.getByLabel('Download a', { exact: true }).waitFor({ state: 'attached' })
}

function widthOf(image: Locator): Promise<number> {
  return image.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth)
}

share('should download everything, a folder, one file: byte for byte', async () => {
  const shareId = await owner.share(holiday, { name: 'Holiday' })
  const page = await browser.open(`/s/${shareId}`)
  const link = (name: string) => page.getByRole('link', { name })
  await page.getByRole('button', { name: /^Holiday 2 files/ }).waitFor()

  const [zipName, zip] = await saved(page, () => link('Download all').click())
  assert.is(zipName, 'Holiday.zip')
  assert.ok(zip.equals((await owner.get(`/api/shares/${shareId}/download`)).body))
  await page.getByText('press Resume there, or download files one by one.').waitFor()

  const [, folder] = await saved(page, () => link('Download Holiday').click())
  assert.equal(entryNames(folder), ['Holiday/beach.txt', 'Holiday/day 2/hut.txt'])

  // A single folder is open.
  const [fileName, file] = await saved(page, () => link('Download beach.txt').click())
  assert.is(fileName, 'beach.txt')
  assert.is(file.toString(), 'sand')
})

share('should list and download without JavaScript', async () => {
  const shareId = await owner.share(holiday, { name: 'Holiday', message: 'Enjoy!' })
  const page = await (await another(null, { javaScript: false })).open(`/s/${shareId}`)
  await page.getByText('Enjoy!').waitFor()
  await untilCount(page.getByRole('listitem'), 3)
  const [, file] = await saved(page, () => page.getByRole('link', { name: 'notes.txt' }).click())
  assert.is(file.toString(), 'water, bread')
  const [, zip] = await saved(page, () => page.getByRole('link', { name: 'all' }).click())
  assert.equal(entryNames(zip), Object.keys(holiday))
  await page.getByText('Open on phone').click()
  const image = page.getByAltText('QR code of the link')
  await until('the code is shown', async () => (await widthOf(image)) > 0)
  await page.setViewportSize({ width: 390, height: 800 })
  await untilNot(() => page.getByText('Open on phone').isVisible())
})

share('should unlock two links at the same instant in one browser', async () => {
  const open = async () =>
    browser.open(`/s/${await owner.share({ 'notes.txt': 'x' }, { password: 'sesame' })}`)
  const pages = [await open(), await open()]
  const gate = new Gate()
  for (const page of pages) {
    await holdRoute(page, '**/verify', gate)
    await page.getByLabel('Password').fill('sesame')
    await page.getByRole('button', { name: 'Unlock' }).click()
  }
  const waiting = 'navigator.locks.query().then(({ pending }) => pending.length)'
  await until('one waits', async () => (await pages[0]!.evaluate(waiting)) === 1)
  gate.open()
  for (const page of pages) await page.getByText('notes.txt').first().waitFor()
})

share('should ask for the password, keep the rest secret, and open by keyboard alone', async () => {
  const input = { name: 'Secret', message: 'psst', password: 'sesame' }
  const shareId = await owner.share(holiday, input)
  const page = await browser.open(`/s/${shareId}`)
  const field = page.getByLabel('Password')
  await field.waitFor()
  await untilNoMatch(() => page.content(), /psst|beach|notes/)
  await page.keyboard.type('wrong')
  await page.keyboard.press('Enter')
  await page.getByText('owner@example.org protected these files').waitFor()
  // Read out with the field, which has the focus.
  await page.getByText(/^Wrong password\. .* 19 attempts left\.$/).waitFor()
  await page.locator('input[aria-invalid][aria-describedby*="problem"]:focus').waitFor()
  // The wrong password is selected: typing replaces it.
  await page.keyboard.type('sesame')
  await page.keyboard.press('Enter')
  await page.getByText('psst').waitFor()
  await page.locator('h1:focus').waitFor()
  const link = page.getByRole('link', { name: 'Download notes.txt' })
  await link.focus()
  const [, file] = await saved(page, () => page.keyboard.press('Enter'))
  assert.is(file.toString(), 'water, bread')
})

share('should let recipients choose files and folders, and download just these', async () => {
  const shareId = await owner.share(holiday)
  const page = await browser.open(`/s/${shareId}`)
  // On a phone too.
  await page.setViewportSize({ width: 390, height: 800 })
  await page.getByRole('button', { name: 'Select', exact: true }).waitFor()
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: 'Select', exact: true }).click()
  const button = page.getByText(/^Download \d/)
  await page.getByRole('button', { name: 'Download', exact: true, disabled: true }).waitFor()
  await page.getByRole('button', { name: 'Select all' }).click()
  await page.getByRole('button', { name: 'Clear selection' }).click()
  await untilCount(page.getByRole('link', { name: /^Download \d/ }), 0)
  await page.getByLabel('Select the folder Holiday').check()
  await page.getByLabel(/notes\.txt/).check()
  await untilIs(() => button.innerText(), 'Download 3 (20\u00a0bytes)')
  await page.getByLabel(/beach\.txt/).uncheck()
  await untilIs(() => button.innerText(), 'Download 2 (16\u00a0bytes)')
  await untilCount(page.locator('[aria-label="Select the folder Holiday"]:indeterminate'), 1)
  const [, zip] = await saved(page, () => button.click())
  assert.equal(entryNames(zip), ['Holiday/day 2/hut.txt', 'notes.txt'])
  await page.getByRole('button', { name: 'Cancel' }).click()
  await untilCount(page.getByRole('checkbox'), 0)
})

share('should count people, not files, and tell how many more can download', async () => {
  const shareId = await owner.share({ 'a.txt': 'text of a', b: 'b' }, { maxDownloads: 2 })
  const page = await browser.open(`/s/${shareId}`)
  const late = await (await another()).open(`/s/${shareId}`)
  const lookAgain = (one: Page) => one.evaluate(`void dispatchEvent(new Event('focus'))`)
  await page.getByText('can be downloaded by 2 more people').waitFor()
  await page.getByRole('button', { name: /^a\.txt/ }).click()
  await page.getByText('text of a').waitFor()
  await page.keyboard.press('Escape')
  await lookAgain(page)
  await page.getByText('can be downloaded by 1 more person').waitFor()
  assert.is((await service.client().get(`/api/shares/${shareId}/download`)).status, 200)
  await lookAgain(page)
  await page.getByText('download limit reached for others').waitFor()
  await saved(page, () => page.getByRole('link', { name: 'Download a.txt', exact: true }).click())
  await lookAgain(late)
  await late.getByRole('heading', { name: 'Download limit reached' }).waitFor()
  await untilCount(late.getByRole('main').locator('a, button'), 0)
})

share('should begin one download after the other, and one for a double click', async () => {
  const shareId = await owner.share({ a: 'a', b: 'b' }, { maxDownloads: 5 })
  const page = await browser.open(`/s/${shareId}`)
  const checked: string[] = []
  const begun: string[] = []
  const gate = new Gate()
  page.on('download', (download) => begun.push(download.suggestedFilename()))
  await page.route('**/files/*', async (route) => {
    checked.push(route.request().method())
    await gate.passed
    await route.continue()
  })
  await page.getByRole('link', { name: 'Download a', exact: true }).dblclick()
  await page.getByRole('link', { name: 'Download b', exact: true }).click()
  // Requests that the clicks had begun are known by now.
  await page.evaluate(`fetch('/api/public/branding')`)
  assert.equal(checked, ['HEAD'])
  gate.open()
  await until('both files are downloaded', () => begun.length === 2)
  assert.equal(begun, ['a', 'b'])
  assert.is(await downloadCount(service, shareId), 1, 'one person')
})

share('should explain what happened to a link, before and while it is open', async () => {
  const hour = { expirationVal: 1, expirationUnit: 'Hours' }
  const useUp = (id: string) => service.client().get(`/api/shares/${id}/download`)
  for (const [input, end, words] of [
    [{}, (id: string) => owner.delete(`/api/shares/${id}`), 'Link not found'],
    [{ maxDownloads: 1 }, useUp, 'Download limit reached'],
    [hour, () => service.clock.advance(3_600_000), 'This share has ended'],
  ] as const) {
    const shareId = await owner.share({ a: 'x' }, input)
    const page = await browser.open(`/s/${shareId}`)
    await untilListed(page)
    await end(shareId)
    await page.getByRole('link', { name: 'Download · 1 byte' }).click()
    await page.getByRole('heading', { name: words }).waitFor()
    if (input !== hour) continue
    await page.getByText('Ask owner@example.org to share the files again').waitFor()
  }
})

share('should show the files of a published draft as soon as it is complete', async () => {
  const shareId = await owner.init({ name: 'On its way', message: 'It is large' })
  const patched = await owner.patch(`/api/shares/${shareId}`, {
    published: true,
    slug: 'on-its-way',
    expectedBytes: 8,
  })
  assert.is(patched.status, 200)
  const page = await browser.openWithClock('/s/on-its-way')
  await page.getByText('Still uploading (0%). The files').waitFor()
  await page.getByText('It is large').waitFor()
  // Once its script runs it asks, and asks again.
  let asked = 0
  page.on('response', (answer) => {
    if (answer.url().includes('/api/public/shares/')) asked += 1
  })
  await until('the page has asked', async () => {
    await page.clock.runFor(5000)
    return asked > 0
  })
  await owner.chunk(shareId, 'f', 0, 'here')
  await page.clock.runFor(60_000)
  await page.getByText('Still uploading (50%). The files').waitFor()
  await untilIs(() => page.locator('.ring text').textContent(), '50%')
  await owner.patch(`/api/shares/${shareId}`, { expectedBytes: 0 })
  await page.clock.runFor(60_000)
  await page.getByText('Still uploading. The files').waitFor()
  await owner.finalize(shareId, [{ fileId: 'f', originalName: 'a.txt', size: 4 }])
  await page.clock.runFor(60_000)
  const link = page.getByRole('link', { name: 'Download · 4 bytes' })
  const [, file] = await saved(page, () => link.click())
  assert.is(file.toString(), 'here')
})

share('should not reload again and again where the clock of the device is wrong', async () => {
  const shareId = await owner.init({ name: 'Slow' })
  await owner.chunk(shareId, 'f', 0, 'here')
  await owner.patch(`/api/shares/${shareId}`, { published: true })
  service.clock.advance(2 * 3_600_000)
  const page = await browser.openWithClock(`/s/${shareId}`)
  await page.getByText('Upload paused').waitFor()
  await page.clock.setSystemTime(service.clock.now() + 3 * dayMs)
  const seen: string[] = []
  page.on('response', (answer) => void seen.push(new URL(answer.url()).pathname))
  const isLook = (path: string) => path.startsWith('/api/public/shares/')
  await until('the page has looked five times', async () => {
    await page.clock.runFor(20_000)
    return seen.filter(isLook).length >= 5
  })
  assert.not(seen.includes(`/s/${shareId}`))
  await owner.chunk(shareId, 'f', 1, 'more')
  await page.clock.runFor(60_000)
  await page.getByText('Still uploading').waitFor()
})

share('should wait for a lost connection and a busy service, then download', async () => {
  const shareId = await owner.share({ 'a.txt': 'x' })
  const page = await browser.openWithClock(`/s/${shareId}`)
  await page.getByRole('button', { name: 'Preview a.txt' }).click()
  const viewer = page.getByRole('dialog', { name: 'a.txt' })
  await viewer.waitFor()
  await stopClock(page)
  let fault: 'offline' | 'busy' | null = 'offline'
  await page.route('**/files/*', async (route) => {
    if (fault === 'offline') await route.abort('internetdisconnected')
    else if (fault === 'busy') await route.fulfill({ status: 503, body: '<h1>Bad gateway</h1>' })
    else await route.continue()
  })
  await viewer.getByRole('link', { name: 'Download a.txt' }).click()
  // The page behind says it, too, but cannot be seen.
  await viewer.getByText('No connection.').waitFor()
  fault = 'busy'
  await page.clock.runFor(1000)
  await viewer.getByText('The service is busy.').waitFor()
  fault = null
  const [, file] = await saved(page, () => page.clock.runFor(2000))
  assert.is(file.toString(), 'x')
})

share('should open folders 200 rows at a time, search, and name a whole folder', async () => {
  const shareId = await owner.share({ 'many/0': '' })
  await service.database.sql`
    insert into files (
      container_id, file_key, original_name, entry_name, size, mime_type, crc32, created_at
    )
    select container_id, 'many-' || n, 'many/' || n, 'many/' || n, 0, 'text/plain', 0, now()
    from shares, generate_series(1, 1499) as n
    where shares.id = ${shareId}
    order by n`
  const page = await browser.open(`/s/${shareId}`)
  await page.getByRole('button', { name: /^many 1,500 files/ }).waitFor()
  const rows = page.locator('.rows .rows > li')
  await untilCount(rows, 201)
  await page.getByRole('button', { name: 'Show more (1,300 left)' }).click()
  await untilCount(rows, 401)

  await page.getByLabel('Search files').fill('MANY/149')
  await page.getByText('11 files found').waitFor()
  await untilCount(page.getByRole('button', { name: /^149\d? many · / }), 11)
  await page.getByLabel('Search files').fill('')

  const link = page.getByRole('link', { name: 'Download many' })
  const [, zip] = await saved(page, () => link.click())
  assert.is(entryNames(zip).length, 1500)
})
