// Thumbnails: those of the list on Send, those that a sender's browser makes from real pictures and
// films, and the grid that recipients see.
import * as assert from 'uvu/assert'
import type { Page } from 'playwright-core'
import { browserSuite } from '../helpers/browser.ts'
import { until, untilCount, untilEqual, untilIs, untilOk } from '../helpers/until.ts'
import { makeLink } from '../helpers/client.ts'
import { lookAt } from './looks.ts'
import { choose, contents, file, publish, openFiles, shareIdOf, startScene } from './sender.ts'

const thumbnails = browserSuite('web: thumbnails')

const scene = await startScene(thumbnails)
const { browser } = scene
const recipient = scene.service.client()

/** The place of a camera, as EXIF 2.3 begins it (4.5.4). */
const exif = Buffer.from('\xff\xe1\x00\x14Exif\0\0MM\0*GPS 52.5', 'latin1')

/** A picture that the browser has drawn, as of a camera: with a place in its metadata. */
async function photo(page: Page, name: string, width: number, height: number, noise = 0) {
  const base64 = await page.evaluate<string>(`(() => {
    const canvas = document.createElement('canvas')
    canvas.width = ${width}
    canvas.height = ${height}
    const context = canvas.getContext('2d')
    context.fillStyle = '#38bdf8'
    context.fillRect(0, 0, ${width}, ${height})
    let seed = 1
    for (let dot = 0; dot < ${noise}; dot++) {
      const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647
      context.fillStyle = 'hsl(' + 360 * random() + ' 90% 50%)'
      context.fillRect(random() * ${width}, random() * ${height}, 9, 9)
    }
    return canvas.toDataURL('image/jpeg', 0.9).split(',')[1]
  })()`)
  const jpeg = Buffer.from(base64, 'base64')
  const buffer = Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)])
  return { name, mimeType: 'image/jpeg', buffer }
}

async function send(page: Page, files: Parameters<typeof choose>[1]): Promise<string> {
  await choose(page, files)
  await publish(page)
  return shareIdOf(page)
}

/** Those with a thumbnail, as recipients see them, once they have these names. */
async function listed(shareId: string, names: readonly string[]): Promise<any[]> {
  let found: any[] = []
  await until(`${names.join(', ')} have thumbnails`, async () => {
    const { files } = (await recipient.get(`/api/public/shares/${shareId}`)).json()
    found = files.filter(({ thumbnail }: any) => thumbnail)
    return found.map(({ original_name: name }) => name).join() === names.join()
  })
  return found
}

/** Width, height, and the markers before the first scan of a JPEG. */
function readJpeg(jpeg: Buffer): { width: number; height: number; markers: number[] } {
  const markers: number[] = []
  let [width, height] = [0, 0]
  for (let at = 2; jpeg[at + 1] !== 0xda; at += 2 + jpeg.readUInt16BE(at + 2)) {
    const marker = jpeg[at + 1]!
    markers.push(marker)
    if (marker === 0xc0 || marker === 0xc2) {
      ;[height, width] = [jpeg.readUInt16BE(at + 5), jpeg.readUInt16BE(at + 7)]
    }
  }
  return { width, height, markers }
}

thumbnails('should come with the files of a guest, for the owner alone', async () => {
  const link = await makeLink(scene.owner)
  const guest = await browser.open(`/r/${link}`)
  const files = [await photo(guest, 'tide.jpg', 640, 480, 200)]
  await guest.getByLabel('Add files').setInputFiles(files)
  await guest.getByRole('button', { name: /^Send/ }).click()
  await guest.getByText('Your reference is').waitFor()
  await until(async () => {
    const [file] = (await scene.owner.get(`/api/reverse/${link}/files`)).json()
    return file?.thumbnail === true
  })
  const page = await browser.open(`/requests/${link}`)
  const tile = page.locator('.deliveries .tile img')
  await untilIs(() => tile.evaluate(({ naturalWidth }: any) => naturalWidth), 320)
})

thumbnails('should replace the icon of readable images only', async () => {
  const page = await browser.open('/')
  await page.setViewportSize({ width: 1280, height: 1600 })
  await page.route(/\/(chunk|tar)$/, () => {})
  const red = await photo(page, 'red.jpg', 20, 10)
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
  await choose(page, [
    { ...red, name: 'broken.jpg', buffer: red.buffer.subarray(0, 45) },
    file('text.txt', 'words'),
    { name: 'drawing.svg', mimeType: 'image/svg+xml', buffer: svg },
    { ...red, name: 'large.jpg', buffer: Buffer.concat([red.buffer, Buffer.alloc(20_000_001)]) },
    red,
  ])
  await openFiles(page)
  const row = (name: string) =>
    page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) })
  // They are painted in order: none of the others follows later.
  await row('red.jpg').locator('canvas').waitFor()
  await untilCount(page.locator('.rows canvas:not([hidden])'), 1)
  for (const name of ['broken.jpg', 'text.txt', 'drawing.svg', 'large.jpg']) {
    await untilCount(row(name).locator('svg'), 2, name)
  }
})

thumbnails('should send small copies without metadata, and skip what is no picture', async () => {
  const page = await browser.open('/')
  const wide = await photo(page, 'wide.jpg', 2400, 1600)
  const tall = await photo(page, 'tall.jpg', 900, 3000, 20_000)
  assert.ok(readJpeg(wide.buffer).markers.includes(0xe1), 'the source has EXIF')
  const broken = { ...wide, name: 'broken.jpg', buffer: Buffer.from('\xff\xd8\xffno picture') }
  const cut = { ...wide, name: 'cut.jpg', buffer: wide.buffer.subarray(0, 400) }
  const bomb = { ...wide, name: 'bomb.png', mimeType: 'image/png', buffer: hugePng() }
  const files = [broken, wide, cut, bomb, file('text.txt', 'words'), tall]
  const shareId = await send(page, files)
  const [first, second] = await listed(shareId, ['wide.jpg', 'tall.jpg'])
  for (const [{ id }, size] of [
    [first!, { width: 320, height: 214 }],
    [second!, { width: 96, height: 320 }],
  ] as const) {
    const { body } = await recipient.get(`/api/shares/${shareId}/files/${id}/thumbnail`)
    assert.ok(body.length <= 16 * 1024, String(body.length))
    const { markers, ...found } = readJpeg(body)
    assert.equal(found, size)
    // Beside JFIF the profile of sRGB: no EXIF, no other application's data, no comment.
    const metadata = markers.filter((marker) => marker === 0xfe || (marker > 0xe0 && marker < 0xf0))
    assert.equal([...new Set(metadata)], [0xe2])
    assert.not.match(body.toString('latin1'), /Exif|http:\/\/ns\.adobe\.com/)
  }
  const stored = Object.keys(await contents(scene, shareId))
  assert.equal(stored.toSorted(), files.map(({ name }) => name).toSorted())
})

/** Says that it has 400 million pixels. */
function hugePng(): Buffer {
  const png = Buffer.alloc(60)
  png.write('\x89PNG\r\n\x1a\n', 'latin1')
  png.writeUInt32BE(13, 8)
  png.write('IHDR', 12, 'latin1')
  png.writeUInt32BE(20_000, 16)
  png.writeUInt32BE(20_000, 20)
  return png
}

/** Records frames of one colour, as a browser does. */
async function film(page: Page, name: string, mimeType: string) {
  const base64 = await page.evaluate<string>(`(async () => {
    const canvas = document.createElement('canvas')
    canvas.width = 640
    canvas.height = 360
    const context = canvas.getContext('2d')
    const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: '${mimeType}' })
    const parts = []
    recorder.ondataavailable = ({ data }) => parts.push(data)
    const stopped = new Promise((resolve) => (recorder.onstop = resolve))
    recorder.start()
    for (let frame = 0; frame < 20; frame++) {
      context.fillStyle = '#d02020'
      context.fillRect(0, 0, 640, 360)
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
    recorder.stop()
    await stopped
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer())
    return btoa(bytes.reduce((all, byte) => all + String.fromCharCode(byte), ''))
  })()`)
  return { name, mimeType, buffer: Buffer.from(base64, 'base64') }
}

thumbnails('should send a frame of a film, and skip what cannot be played', async () => {
  const page = await browser.open('/')
  const whole = await film(page, 'film.webm', 'video/webm')
  const broken = { name: 'broken.mp4', mimeType: 'video/mp4', buffer: Buffer.from('no film') }
  const cut = { ...whole, name: 'cut.webm', buffer: whole.buffer.subarray(0, 200) }
  const shareId = await send(page, [broken, cut, whole])
  const [{ id }] = await listed(shareId, ['film.webm'])
  const { body } = await recipient.get(`/api/shares/${shareId}/files/${id}/thumbnail`)
  const { width, height } = readJpeg(body)
  assert.equal([width, height], [320, 180])
  const link = await browser.open(`/s/${shareId}`)
  await link.locator('li .tile.film > img').waitFor()
})

/** Names that are longer than their lines. */
const cutNames = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('.tiles bdi')]
    .filter((name) => name.scrollHeight > name.clientHeight + 1)
    .map((name) => name.textContent)`)

const cutOff = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('.rows li')].flatMap((row) => {
    const { bottom, right } = row.getBoundingClientRect()
    return [...row.querySelectorAll('.tile > img, .row-tight > .button > svg')]
      .filter((part) => {
        const edge = part.getBoundingClientRect()
        return edge.bottom > bottom || edge.right > right
      })
      .map((part) => row.textContent + part.tagName)
  })`)

thumbnails('should show photos as a grid at first, and as the chosen view afterwards', async () => {
  const sending = await browser.open('/')
  const names = ['a.jpg', 'b.jpg', 'c.jpg', 'd - Beach arrival 4.jpg']
  const photos = await Promise.all(
    // Every second one is a portrait.
    names.map((name, index) => photo(sending, name, 320, index % 2 === 0 ? 200 : 640)),
  )
  const shareId = await send(sending, photos)
  await listed(shareId, names)
  const page = await browser.open(`/s/${shareId}`)
  await page.getByLabel('Show as list').waitFor()
  /** How many tiles the first line of the grid has; 0 for a list. */
  const tiles = () =>
    page.evaluate<number>(`(() => {
      const rows = [...document.querySelectorAll('.tiles .rows > li')].map((li) => li.offsetTop)
      return rows.filter((top) => top === rows[0]).length
    })()`)
  await untilOk(async () => (await tiles()) >= 3)
  assert.equal(await cutOff(page), [])
  await lookAt(page, 'received-grid')
  // A phone shows the ends of names that begin alike, too, and nothing on the pictures.
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 640 })
    await untilEqual(() => cutNames(page), [])
    const isFree = await page.evaluate(`(() => {
      const edges = (of, what) => of.querySelector(what).getBoundingClientRect()
      return [...document.querySelectorAll('.tiles .rows > li')].every((li) => {
        const { width, bottom } = edges(li, '.tile')
        return width >= 128 && edges(li, '[download]').top >= bottom
      })
    })()`)
    assert.ok(isFree, `${width}px`)
  }
  await page.getByRole('button', { name: 'Select', exact: true }).click()
  await page.getByRole('checkbox', { name: /^c\.jpg/ }).check()
  await page.getByRole('link', { name: /^Download 1 / }).waitFor()
  await page.getByLabel('Show as list').check()
  await untilIs(tiles, 0)
  assert.equal(await cutOff(page), [])
  await page.getByRole('button', { name: 'Cancel' }).click()
  const heights = `[...document.querySelectorAll('.rows > li')].map((li) => li.offsetHeight)`
  await untilOk(async () => Math.max(...(await page.evaluate<number[]>(heights))) < 90)
  await page.reload()
  await page.getByLabel('Show as grid').waitFor()
  await untilIs(tiles, 0)
  // The last one of a reel that is wider than the window.
  await page.setViewportSize({ width: 200, height: 640 })
  await page.getByRole('button', { name: /^d - Beach arrival 4/ }).click()
  const shift = () => page.evaluate<number>(`document.querySelector('.reel')?.scrollLeft ?? 0`)
  await untilOk(async () => (await shift()) > 0)
})
