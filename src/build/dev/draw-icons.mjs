// Draws the icons of the installed app and the picture of link previews: the mark of
// static/icon.svg in white on a tile. Run it after a change of the mark, with Debian's Chromium:
//   node src/build/dev/draw-icons.mjs
// The first 16 colours of each picture go from the tile to the mark, those that follow are edges
// of the tile. So the service can show them in the accent colour (src/pages/asset-operations.ts).
import { readFileSync, writeFileSync } from 'node:fs'
import { crc32, deflateSync } from 'node:zlib'
import { chromium } from 'playwright-core'

/** The part of the side that the mark takes. Launchers may cut a maskable icon to a circle. */
const icons = [
  { name: 'icon-192', side: 192, mark: 0.7, radius: 0.22 },
  { name: 'icon-512', side: 512, mark: 0.7, radius: 0.22 },
  { name: 'icon-maskable', side: 512, mark: 0.6, radius: 0 },
  { name: 'apple-touch-icon', side: 180, mark: 0.7, radius: 0 },
  // The size that messengers ask for.
  { name: 'preview', side: 630, width: 1200, mark: 0.5, radius: 0 },
]
const tile = [0x1d, 0x5f, 0xc4]
const levelMax = 15

const shapes = readFileSync('static/icon.svg', 'utf8')
  .match(/<g .*<\/g>/s)[0]
  .replaceAll(/#[0-9a-f]{6}/g, '#fff')

/** The tile in black, so that the red channel is the level of the mark. */
function compose({ side, width = side, mark, radius }) {
  const across = (32 * width) / side
  const [left, top] = [across, 32].map((length) => (length - 32 * mark) / 2)
  const size = `viewBox="0 0 ${across} 32" width="${width}" height="${side}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>
<rect width="${across}" height="32" rx="${32 * radius}"/>
<g transform="translate(${left} ${top}) scale(${mark})">${shapes}</g>
</svg>`
}

/** Runs in the page. */
async function readPixels({ svg, side, width }) {
  const image = new Image()
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`
  await image.decode()
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width, height: side })
  const context = canvas.getContext('2d')
  context.drawImage(image, 0, 0)
  return Array.from(context.getImageData(0, 0, width, side).data)
}

function encode(width, side, data) {
  const rows = Buffer.alloc((width + 1) * side)
  for (let at = 0; at < width * side; at += 1) {
    const [level, cover] = [data[4 * at], data[4 * at + 3]].map((value) =>
      Math.round((value / 255) * levelMax),
    )
    const row = Math.floor(at / width)
    rows[at + row + 1] = cover === levelMax ? level : levelMax + 1 + cover
  }
  const steps = Array.from({ length: levelMax + 1 }, (_, level) => level)
  const towards = (level) =>
    tile.map((part) => Math.round(part + ((255 - part) * level) / levelMax))
  const palette = [...steps.map(towards), ...steps.slice(0, -1).map(() => tile)]
  const alpha = [...steps.map(() => 255), ...steps.slice(0, -1).map((cover) => cover * 17)]
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(side, 4)
  header.set([8, 3], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('tRNS', Buffer.from(alpha)),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
const page = await browser.newPage()
for (const icon of icons) {
  const { side, width = side } = icon
  const pixels = await page.evaluate(readPixels, { svg: compose(icon), side, width })
  const png = encode(width, side, pixels)
  writeFileSync(`static/${icon.name}.png`, png)
  process.stdout.write(`${icon.name}.png: ${png.length} bytes\n`)
}
await browser.close()
