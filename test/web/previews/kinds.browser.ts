// What the preview shows of each kind of file, to recipients and owners.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { fileIds, patterned, untilSettled } from '../../bytes/send/scene.ts'
import { browserSuite, scrollsSideways, startBrowser } from '../../helpers/browser.ts'
import { startService } from '../../helpers/service.ts'
import { untilCount, untilIs, untilMatch, untilOk } from '../../helpers/reads.ts'
import { until } from '../../helpers/until.ts'
import { pdf, picture, shareTyped } from './scene.ts'

const kinds = browserSuite('web: kinds of previews')
// Every look takes a while beside other work.

const service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off' } })
const owner = await service.user('owner@example.org')
const browser = await startBrowser(service.url)
const folder = mkdtempSync(path.join(tmpdir(), 'transfer-test-previews-'))
kinds.after(async () => {
  rmSync(folder, { recursive: true })
  await service.stop()
})
kinds.after.each(async () => {
  assert.equal(await browser.closePages(), [])
  // The owner's downloads are not counted.
  await browser.context.clearCookies()
})

const markdown = `# Plan
Bring **water**, see [the map](https://example.org/map) and [this](javascript:alert(1)).

- tent
- ![picture](https://tracker.example/pixel.png)

<img src="https://tracker.example/html.png" onerror="document.title='run'">
`

const pythonZip = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w') as archive:
    archive.write('big.bin', 'photos/day 1/big.bin')
    archive.writestr('photos/hut.png', 'wood')
    archive.writestr('10.txt', 'ten')
    archive.writestr('9.txt', 'nine!')
`

/** A real archive that is much longer than its directory. */
function makeZip(): Buffer {
  writeFileSync(path.join(folder, 'big.bin'), patterned(8_000_000))
  execFileSync('python3', ['-c', pythonZip, 'made.zip'], { cwd: folder })
  return readFileSync(path.join(folder, 'made.zip'))
}

/** One file of each kind. */
const shareAll = (input: Readonly<Record<string, unknown>> = {}) =>
  shareTyped(
    owner,
    {
      'a.png': ['image/png', picture(640, 400)],
      'b.md': ['text/markdown', markdown],
      'c.zip': ['application/zip', makeZip()],
      'd.pdf': ['application/pdf', pdf('Hello')],
      'e.bin': ['application/octet-stream', 'bytes'],
      'f.txt': ['text/plain', 'sand'],
    },
    input,
  )

const dialogOf = (page: Page) => page.getByRole('dialog')
const preview = (page: Page, name: string) =>
  page.getByRole('button', { name: `Preview ${name}`, exact: true }).click()

kinds('should offer Preview and Download in each row, within reach on phones', async () => {
  const shareId = await shareAll()
  await browser.logInAs(owner)
  for (const address of [`/s/${shareId}`, `/shares/${shareId}`]) {
    const page = await browser.open(address)
    await page.getByRole('button', { name: 'Preview a.png' }).waitFor()
    for (const width of [1280, 390, 320]) {
      await page.setViewportSize({ width, height: 800 })
      for (const name of ['a.png', 'b.md', 'c.zip', 'd.pdf', 'f.txt']) {
        const row = page.getByRole('listitem').filter({ hasText: name })
        const one = row.getByRole('button', { name: `Preview ${name}` })
        const other = row.getByRole('link', { name: `Download ${name}` })
        const boxes = [(await one.boundingBox())!, (await other.boundingBox())!]
        for (const box of boxes) {
          assert.ok(box.width >= 36 && box.height >= 44, `${name} at ${width}`)
          assert.ok(box.x >= 0 && box.x + box.width <= width, `${name} at ${width}`)
        }
        assert.is(boxes[0]!.y, boxes[1]!.y, `${name} at ${width}: in one line`)
        const label = one.getByText('Preview', { exact: true })
        await untilIs(() => label.isVisible(), width > 640)
      }
      assert.not(await scrollsSideways(page))
    }
    await untilCount(page.getByRole('button', { name: 'Preview e.bin' }), 0)
    await page.getByRole('link', { name: 'Download e.bin' }).waitFor()
  }
})

kinds('should show a PDF in the viewer of the browser, in the dialog', async () => {
  const shareId = await shareAll()
  const page = await browser.open(`/s/${shareId}`)
  await untilOk(() => page.evaluate('navigator.pdfViewerEnabled'))
  await preview(page, 'd.pdf')
  const fileId = (await fileIds(service, shareId))['d.pdf']
  const frame = dialogOf(page).locator('iframe[title="d.pdf"]')
  const href = `/api/shares/${shareId}/files/${fileId}?inline=1#navpanes=0`
  await untilIs(() => frame.getAttribute('src'), href)
  await until('the viewer runs', () =>
    page.frames().some((one) => one.url().startsWith('chrome-extension://')),
  )
  const note = dialogOf(page).getByText('Never enter a password')
  const [below, above] = [(await note.boundingBox())!, (await frame.boundingBox())!]
  assert.ok(below.y >= above.y + above.height)
  await page.getByRole('button', { name: 'Next file' }).click()
  await dialogOf(page).getByText('sand').waitFor()
  await untilCount(note, 0)
  await dialogOf(page).getByText('5 of 5').waitFor()
  await page.getByRole('button', { name: 'Previous file' }).click()
  await frame.waitFor()
})

kinds('should open PDF files in a new tab where browsers cannot frame them', async () => {
  const shareId = await shareAll()
  const without = await browser.context.newPage()
  await without.addInitScript(
    `Object.defineProperty(Navigator.prototype, 'pdfViewerEnabled', { value: false })`,
  )
  const touched = await browser.context.newPage()
  const devtools = await touched.context().newCDPSession(touched)
  await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true })
  for (const page of [without, touched]) {
    await page.goto(browser.address(`/s/${shareId}`))
    const link = page.getByRole('link', { name: 'Preview d.pdf' })
    await untilIs(() => link.getAttribute('target'), '_blank')
    await until(async () => assert.match((await link.getAttribute('href'))!, /\?inline=1$/))
    await untilIs(
      () => page.getByRole('link', { name: /^d\.pdf/ }).getAttribute('target'),
      '_blank',
    )
    // The arrows leave it out.
    await preview(page, 'f.txt')
    await dialogOf(page).getByText('4 of 4').waitFor()
  }
})

kinds('should say why a PDF cannot be shown, in place of an empty frame', async () => {
  const shareId = await shareAll({ expirationVal: 1, expirationUnit: 'Hours' })
  const page = await browser.open(`/s/${shareId}`)
  await page.getByRole('button', { name: 'Preview d.pdf' }).waitFor()
  await owner.delete(`/api/shares/${shareId}`)
  await preview(page, 'd.pdf')
  await dialogOf(page).getByRole('alert').waitFor()
  await untilCount(dialogOf(page).locator('iframe'), 0)
})

kinds('should render Markdown, load nothing from elsewhere, and show its source', async () => {
  const shareId = await shareAll()
  const page = await browser.open(`/s/${shareId}`)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).host))
  await preview(page, 'b.md')
  const dialog = dialogOf(page)
  await dialog.getByRole('heading', { name: 'Plan', level: 3 }).waitFor()
  await untilCount(dialog.getByRole('listitem'), 2)
  await untilIs(() => dialog.locator('strong').innerText(), 'water')
  // The other one is an address in HTML, which is text.
  await untilCount(dialog.locator('article a'), 2)
  const links = dialog.getByRole('link', { name: 'the map' })
  for (const [name, value] of [
    ['href', 'https://example.org/map'],
    ['target', '_blank'],
    ['rel', 'noopener noreferrer'],
  ]) {
    await untilIs(() => links.getAttribute(name!), value)
  }
  await untilCount(dialog.getByRole('img'), 0)
  await dialog.getByText('<img src="https://tracker.example').waitFor()

  const source = dialog.getByRole('button', { name: 'Source' })
  await untilIs(() => source.getAttribute('aria-pressed'), 'false')
  await source.click()
  await untilIs(() => dialog.locator('pre').innerText(), markdown)
  await untilIs(() => source.getAttribute('aria-pressed'), 'true')
  await source.click()
  await dialog.getByRole('heading', { name: 'Plan' }).waitFor()
  assert.equal([...new Set(asked)], [new URL(service.url).host])
  await untilMatch(() => page.title(), /^a\.png –/)
})

kinds('should list the files of an archive, and load only its directory', async () => {
  const shareId = await shareAll()
  const page = await browser.open(`/s/${shareId}`)
  const ranges: (string | null)[] = []
  page.on('response', async (response) => {
    if (response.status() === 206) ranges.push(await response.headerValue('content-length'))
  })
  await preview(page, 'c.zip')
  const dialog = dialogOf(page)
  await dialog.getByText('4 files').waitFor()
  // Single folders are open.
  await dialog.getByText('hut.png').waitFor()
  await dialog.getByText('8 MB', { exact: true }).waitFor()
  const names = await dialog.locator('li bdi').allInnerTexts()
  assert.equal(names, ['photos', 'day 1', 'big.bin', 'hut.png', '9.txt', '10.txt'])
  assert.equal(ranges, ['66000'])
  await untilSettled(service, shareId)
  const rows = await owner.get(`/api/shares/${shareId}/activity`)
  const [entry, ...none] = rows.json<{ target: string; bytes_sent: number }[]>()
  assert.equal([entry?.target, entry?.bytes_sent, none.length], ['preview', 66_000, 0])
})

const ends = Buffer.alloc(22)
ends.writeUInt32LE(0x06054b50)
const lies = Buffer.from(ends)
lies.writeUInt32LE(3_000_000_000, 12)
const hostileZips = {
  'broken.zip': 'no archive at all',
  'empty.zip': '',
  'lies.zip': lies,
  'shifted.zip': Buffer.concat([Buffer.alloc(100_000, 'PK'), lies]),
}
kinds('should show no contents of damaged and hostile archives, and go on', async () => {
  const files = Object.entries(hostileZips).map(
    ([name, data]) => [name, ['application/zip', data]] as const,
  )
  const shareId = await shareTyped(owner, {
    ...Object.fromEntries(files),
    'without.zip': ['application/x-zip-compressed', ends],
  })
  const page = await browser.open(`/s/${shareId}`)
  const dialog = dialogOf(page)
  await preview(page, 'broken.zip')
  for (const name of Object.keys(hostileZips)) {
    await dialog.getByRole('heading', { name }).waitFor()
    await dialog.getByText('This file cannot be shown here. Download it to open it.').waitFor()
    await page.keyboard.press('ArrowRight')
    await dialog.getByRole('heading', { name }).waitFor({ state: 'detached' })
  }
  await dialog.getByText('0 files').waitFor()
})
