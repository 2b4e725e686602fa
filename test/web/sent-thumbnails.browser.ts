// Thumbnails that the browser of a sender makes: from real pictures to the API of the recipient.
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { browserSuite } from '../helpers/browser.ts'
import { until } from '../helpers/until.ts'
import { choose, contents, file, getLink, shareIdOf } from './sender.ts'
import { startScene, type Scene } from './sender.ts'

const sent = browserSuite('web: thumbnails for recipients')

let scene: Scene

sent.before(async () => {
  scene = await startScene()
})
sent.after(() => scene.stop())
sent.after.each(async () => {
  assert.equal(await scene.browser.closePages(), [])
})

interface Seen {
  readonly id: number
  readonly original_name: string
  readonly thumbnail?: true
}

/** A picture that the browser has drawn, as of a camera: with its place in the metadata. */
async function photo(page: Page, name: string, width: number, height: number, noise = 0) {
  const base64 = await page.evaluate<string>(`(() => {
    const canvas = document.createElement('canvas')
    canvas.width = ${width}
    canvas.height = ${height}
    const context = canvas.getContext('2d')
    const sky = context.createLinearGradient(0, 0, 0, ${height})
    sky.addColorStop(0, '#38bdf8')
    sky.addColorStop(1, '#f59e0b')
    context.fillStyle = sky
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
  const buffer = Buffer.concat([jpeg.subarray(0, 2), placeSegment(), jpeg.subarray(2)])
  return { name, mimeType: 'image/jpeg', buffer }
}

/** An EXIF segment with GPS coordinates (EXIF 2.3, 4.6): 52° north, 13° east. */
function placeSegment(): Buffer {
  const entry = (tag: number, type: number, count: number, value: number | string) => {
    const bytes = Buffer.alloc(12)
    bytes.writeUInt16BE(tag, 0)
    bytes.writeUInt16BE(type, 2)
    bytes.writeUInt32BE(count, 4)
    if (typeof value === 'number') bytes.writeUInt32BE(value, 8)
    else bytes.write(value, 8, 'latin1')
    return bytes
  }
  const degrees = (value: number) => {
    const bytes = Buffer.alloc(24)
    for (const [at, number] of [value, 1, 0, 1, 0, 1].entries()) bytes.writeUInt32BE(number, 4 * at)
    return bytes
  }
  const numberOf = (count: number) => Buffer.from([0, count])
  const none = Buffer.alloc(4)
  // The second directory begins at 26 and ends at 80.
  const tiff = Buffer.concat([
    Buffer.from('MM\u0000*\u0000\u0000\u0000\u0008', 'latin1'),
    numberOf(1),
    entry(0x8825, 4, 1, 26),
    none,
    numberOf(4),
    entry(1, 2, 2, 'N'),
    entry(2, 5, 3, 80),
    entry(3, 2, 2, 'E'),
    entry(4, 5, 3, 104),
    none,
    degrees(52),
    degrees(13),
  ])
  const content = Buffer.concat([Buffer.from('Exif\u0000\u0000', 'latin1'), tiff])
  const head = Buffer.from([0xff, 0xe1, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}

async function send(page: Page): Promise<string> {
  await getLink(page).click()
  await page.getByText('Your link is ready').waitFor()
  await page.getByText('Your link is ready').waitFor()
  return shareIdOf(page)
}

/** As recipients see them. */
async function seen(shareId: string): Promise<Seen[]> {
  const recipient = scene.service.client()

  return (await recipient.get(`/api/public/shares/${shareId}`)).json().files
}

const namesWith = (files: readonly Seen[]) =>
  files.filter(({ thumbnail }) => thumbnail).map(({ original_name: name }) => name)

function untilListed(shareId: string, names: readonly string[]): Promise<void> {
  return until(`${names.join(', ')} have thumbnails`, async () => {
    return namesWith(await seen(shareId)).join() === names.join()
  })
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

sent('should send small copies without metadata, and skip what is no picture', async () => {
  const page = await scene.browser.open('/')
  const wide = await photo(page, 'wide.jpg', 2400, 1600)
  const tall = await photo(page, 'tall.jpg', 900, 3000, 20_000)
  assert.ok(readJpeg(wide.buffer).markers.includes(0xe1), 'the source has EXIF')
  const broken = { ...wide, name: 'broken.jpg', buffer: Buffer.from('\xff\xd8\xffno picture') }
  const cut = { ...wide, name: 'cut.jpg', buffer: wide.buffer.subarray(0, 400) }
  const bomb = { ...wide, name: 'bomb.png', mimeType: 'image/png', buffer: hugePng() }
  const text = file('text.txt', 'words')
  const files = [broken, wide, cut, bomb, text, tall]
  await choose(page, files)
  const shareId = await send(page)
  await untilListed(shareId, ['wide.jpg', 'tall.jpg'])
  const [first, second] = (await seen(shareId)).filter(({ thumbnail }) => thumbnail)
  const recipient = scene.service.client()
  for (const [listed, size] of [
    [first!, { width: 320, height: 214 }],
    [second!, { width: 96, height: 320 }],
  ] as const) {
    const answer = await recipient.get(`/api/shares/${shareId}/files/${listed.id}/thumbnail`)
    assert.is(answer.status, 200)
    assert.ok(answer.body.length <= 16 * 1024, String(answer.body.length))
    const { markers, ...found } = readJpeg(answer.body)
    assert.equal(found, size)
    // Beside JFIF the profile of sRGB: no EXIF, no other application's data, no comment.
    const metadata = markers.filter((marker) => marker === 0xfe || (marker > 0xe0 && marker < 0xf0))
    assert.equal([...new Set(metadata)], [0xe2])
    assert.not.match(answer.body.toString('latin1'), /Exif|http:\/\/ns\.adobe\.com/)
  }
  const stored = await contents(scene, shareId)
  assert.equal(Object.keys(stored).toSorted(), files.map(({ name }) => name).toSorted())
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
    const stream = canvas.captureStream(30)
    const recorder = new MediaRecorder(stream, { mimeType: '${mimeType}' })
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

sent('should send a frame of a film, and skip what cannot be played', async () => {
  const page = await scene.browser.open('/')
  const whole = await film(page, 'film.webm', 'video/webm')
  const broken = { name: 'broken.mp4', mimeType: 'video/mp4', buffer: Buffer.from('no film') }
  const cut = { ...whole, name: 'cut.webm', buffer: whole.buffer.subarray(0, 200) }
  await choose(page, [broken, cut, whole])
  const shareId = await send(page)
  await untilListed(shareId, ['film.webm'])
  const [listed] = (await seen(shareId)).filter(({ thumbnail }) => thumbnail)
  const address = `/api/shares/${shareId}/files/${listed!.id}/thumbnail`
  const recipient = scene.service.client()
  const { width, height } = readJpeg((await recipient.get(address)).body)
  assert.equal([width, height], [320, 180])
  const shown = await page.evaluate<number[]>(`(async () => {
    const answer = await fetch('${address}')
    const bitmap = await createImageBitmap(await answer.blob())
    const context = new OffscreenCanvas(1, 1).getContext('2d')
    context.drawImage(bitmap, 0, 0, 1, 1)
    return [...context.getImageData(0, 0, 1, 1).data]
  })()`)
  const [red = 0, green = 255, blue = 255] = shown
  assert.ok(red > 150 && green < 80 && blue < 80, `red, not ${shown.join()}`)
  const link = await scene.browser.open(`/s/${shareId}`)
  await link.locator('li .tile.film > img').waitFor()
})
