import * as assert from 'uvu/assert'
import { execFileSync } from 'node:child_process'
import type { Page } from 'playwright-core'
import { fileIds, untilSettled } from '../../bytes/send/scene.ts'
import { browserSuite } from '../../helpers/browser.ts'
import { heading, startScene } from '../sender.ts'
import { until, untilCount, untilEqual, untilIs, untilMatch, untilOk } from '../../helpers/until.ts'
import { pdf, pixel, shareTyped } from './scene.ts'

const kinds = browserSuite('web: previews')

const { service, owner, browser } = await startScene(kinds, { as: 'nobody', mail: false })
// The owner's downloads are not counted.
kinds.after.each(() => browser.context.clearCookies())

const markdown = `# Plan
Bring **water**, see [the map](https://example.org/map) and [this](javascript:alert(1)).

- tent
- ![picture](https://tracker.example/pixel.png)

<img src="https://tracker.example/html.png" onerror="document.title='run'">
`

const pythonZip = `
import sys, zipfile
with zipfile.ZipFile(sys.stdout.buffer, 'w') as archive:
    archive.writestr('photos/day 1/big.bin', bytes(8000000))
    archive.writestr('photos/hut.png', 'wood')
    archive.writestr('10.txt', 'ten')
    archive.writestr('9.txt', 'nine!')
`
/** A real archive that is much longer than its directory. */
const zip = execFileSync('python3', ['-c', pythonZip], { maxBuffer: 10_000_000 })

/** One file of each kind. */
const all = {
  'a.png': ['image/png', pixel],
  'b.md': ['text/markdown', markdown],
  'c.zip': ['application/zip', zip],
  'd.pdf': ['application/pdf', pdf('Hello')],
  'e.bin': ['application/octet-stream', 'bytes'],
  'f.txt': ['text/plain', 'sand'],
  'g.html': ['text/html', '<script>document.title="run"</script>'],
} as const
const shareAll = (input = {}) => shareTyped(owner, all, input)

const dialogOf = (page: Page) => page.getByRole('dialog')
const preview = (page: Page, name: string) =>
  page.getByRole('button', { name: `Preview ${name}`, exact: true }).click()

kinds('should show a PDF in the viewer of the browser, in the dialog', async () => {
  const shareId = await shareAll()
  const page = await browser.open(`/s/${shareId}`)
  await untilOk(() => page.evaluate('navigator.pdfViewerEnabled'))
  await preview(page, 'd.pdf')
  const fileId = (await fileIds(service, shareId))['d.pdf']
  const frame = dialogOf(page).locator('iframe[title="d.pdf"]')
  const href = `/api/shares/${shareId}/files/${fileId}?inline=1#toolbar=0&view=FitH`
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
  await dialogOf(page).getByText('5 of 6').waitFor()
  await page.getByRole('button', { name: 'Previous file' }).click()
  await frame.waitFor()
})

kinds('should keep the arrows off the words, beside or below them', async () => {
  const page = await browser.open(`/s/${await shareAll()}`)
  await preview(page, 'f.txt')
  await dialogOf(page).getByText('sand').waitFor()
  for (const width of [1280, 640, 390, 320]) {
    await page.setViewportSize({ width, height: 640 })
    const isFree = await page.evaluate(`(() => {
      const text = document.querySelector('dialog pre')
      const words = text.getBoundingClientRect()
      const side = parseFloat(getComputedStyle(text).paddingInlineStart)
      return [...document.querySelectorAll('.turn')].every((arrow) => {
        const { top, left, right } = arrow.getBoundingClientRect()
        return top >= words.bottom || right <= words.left + side || left >= words.right - side
      })
    })()`)
    assert.ok(isFree, `${width}px`)
  }
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
    const name = page.getByRole('link', { name: /^d\.pdf/ })
    await untilIs(() => name.getAttribute('target'), '_blank')
    // The arrows leave it out.
    await preview(page, 'f.txt')
    await dialogOf(page).getByText('4 of 5').waitFor()
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
  await untilIs(() => links.getAttribute('href'), 'https://example.org/map')
  await untilIs(() => links.getAttribute('target'), '_blank')
  await untilIs(() => links.getAttribute('rel'), 'noopener noreferrer')
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
  await untilMatch(() => page.title(), /^Files for you –/)
})

kinds(
  'should show a CSV file as a table, and the source of a web page, which does not run',
  async () => {
    const source = 'name,note\n"Weber, Anna","says ""hello"""\n'
    const files = { 'people.csv': ['text/csv', source], 'g.html': all['g.html'] } as const
    const page = await browser.open(`/s/${await shareTyped(owner, files)}`)
    await preview(page, 'people.csv')
    const dialog = dialogOf(page)
    await dialog.getByRole('columnheader', { name: 'name' }).waitFor()
    await untilEqual(
      () => dialog.getByRole('cell').allInnerTexts(),
      ['Weber, Anna', 'says "hello"'],
    )
    await dialog.getByRole('button', { name: 'Source' }).click()
    await untilIs(() => dialog.locator('pre').innerText(), source)
    await page.keyboard.press('ArrowLeft')
    await dialog.getByText(all['g.html'][1]).waitFor()
    await untilMatch(() => page.title(), /^Files for you –/)
  },
)

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

kinds('should offer previews of untyped files by their names, and of films that play', async () => {
  const untyped = 'application/octet-stream'
  const files = {
    'a.png': [untyped, pixel],
    'b.html': [untyped, '<p>'],
    'c.psd': [untyped, 'x'],
    'd.mov': ['video/quicktime', 'x'],
    'e.mp4': ['video/mp4', 'x'],
  } as const
  const page = await browser.open(`/s/${await shareTyped(owner, files)}`)
  const labels = `[...document.querySelectorAll('[aria-label^=Preview]')].map((one) => one.ariaLabel)`
  const offered = ['a.png', 'b.html', 'd.mov', 'e.mp4'].map((name) => `Preview ${name}`)
  await untilEqual(() => page.evaluate(labels), offered)
  await preview(page, 'a.png')
  await dialogOf(page).locator('.picture > img').waitFor()
  const width = `document.querySelector('.picture > img').naturalWidth`
  await untilOk(async () => (await page.evaluate<number>(width)) > 0)
})

kinds('should show no contents of a damaged archive, and go on', async () => {
  const type = 'application/zip'
  const files = { 'broken.zip': [type, 'no archive'], 'f.txt': ['text/plain', 'sand'] } as const
  const page = await browser.open(`/s/${await shareTyped(owner, files)}`)
  await preview(page, 'broken.zip')
  const words = dialogOf(page).getByText('This file cannot be shown here.')
  await words.waitFor()
  await page.setViewportSize({ width: 390, height: 800 })
  await untilOk(async () => (await words.boundingBox())!.x >= 16)
  await dialogOf(page).getByRole('link', { name: 'Download', exact: true }).waitFor()
  await page.keyboard.press('ArrowRight')
  await dialogOf(page).getByText('sand').waitFor()
})

const texts = {
  '1.txt': ['text/plain', 'text 1'],
  '2.txt': ['text/plain', 'text 2'],
  '3.txt': ['text/plain', 'text 3'],
} as const

const isClosed = (page: Page) => dialogOf(page).waitFor({ state: 'detached' })

for (const [what, path] of [
  ["the recipient's page", '/s/'],
  ['the app', '/shares/'],
] as const) {
  kinds(`should close with Back, and leave no history when closed otherwise: ${what}`, async () => {
    const address = path + (await shareTyped(owner, texts, { name: what }))
    await browser.logInAs(owner)
    const page = await browser.open('/shares')
    if (path === '/s/') await page.goto(browser.address(address))
    else await page.getByRole('link', { name: what }).click()
    const before = await page.evaluate<number>('history.length')
    await preview(page, '1.txt')
    await dialogOf(page).getByText('text 1').waitFor()
    await page.keyboard.press('ArrowRight')
    await dialogOf(page).getByText('text 2').waitFor()
    await untilIs(() => page.evaluate('history.length'), before + 1)
    await page.goBack()
    await isClosed(page)
    assert.is(new URL(page.url()).pathname, address)
    await page.goForward()
    await dialogOf(page).getByText('text 1').waitFor()
    await page.evaluate('history.go(-2)')
    await page.waitForURL('**/shares')
    await heading(page, 'Shares').waitFor()
    await isClosed(page)
    await page.evaluate('history.go(2)')
    await dialogOf(page).getByText('text 1').waitFor()
    await page.reload()
    await dialogOf(page).getByText('text 1').waitFor()
    await page.goBack()
    await isClosed(page)
    const ways: (() => Promise<void>)[] = [
      // The second one must not leave the page.
      async () => {
        await page.evaluate(`for (const _ of [1, 2]) {
          document.querySelector('dialog').dispatchEvent(new Event('cancel'))
        }`)
      },
      () => page.keyboard.press('Escape'),
      () => dialogOf(page).getByRole('button', { name: 'Close' }).click(),
    ]
    for (const close of ways) {
      await preview(page, '2.txt')
      await dialogOf(page).getByText('text 2').waitFor()
      await close()
      await isClosed(page)
      assert.is(new URL(page.url()).pathname, address)
      await untilIs(() => page.evaluate('history.state'), null)
    }
    await page.goBack()
    await page.waitForURL('**/shares')
  })
}
