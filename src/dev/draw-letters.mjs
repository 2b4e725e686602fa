// Draws static/preview-letters.gz, the letters in the pictures of link previews: the service has no
// other way to draw text. Run it only to change them, with the files of @fontsource/inter:
//   node src/dev/draw-letters.mjs <folder of @fontsource/inter>
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'

const folder = process.argv[2]
const styles = {
  title: { weight: 700, size: 68 },
  text: { weight: 500, size: 36 },
}
const ranges = [
  [0x20, 0x7e], // ASCII
  [0xa1, 0x17f], // Latin-1, Latin Extended-A
  [0x218, 0x21b],
  [0x386, 0x3ce], // Greek
  [0x400, 0x45f], // Cyrillic
  [0x490, 0x491],
  [0x1ea0, 0x1ef9], // Vietnamese
  [0x2013, 0x2014],
  [0x2018, 0x201e],
  [0x20ac, 0x20ac],
]
const others = '…•·№™−'

/** The font's files, each for some characters. */
function fontFaces() {
  const css = readdirSync(folder)
    .filter((name) => /^(500|700)\.css$/.test(name))
    .map((name) => readFileSync(path.join(folder, name), 'utf8'))
    .join('\n')
  return css.replaceAll(/url\(\.\/(files\/[^)]+\.woff2)\)/g, (_all, file) => {
    const bytes = readFileSync(path.join(folder, file)).toString('base64')
    return `url(data:font/woff2;base64,${bytes})`
  })
}

/** Runs in the page. */
async function drawStyle({ weight, size, text }) {
  const font = `${weight} ${size}px Inter`
  await document.fonts.load(font, text)
  const canvas = document.createElement('canvas')
  const [width, height, left, baseline] = [3 * size, 3 * size, size, 2 * size]
  Object.assign(canvas, { width, height })
  const context = canvas.getContext('2d', { willReadFrequently: true })
  context.font = font
  const widthOf = (words) => context.measureText(words).width
  const glyphs = {}
  const levels = []
  for (const letter of text) {
    context.clearRect(0, 0, width, height)
    context.fillText(letter, left, baseline)
    const { data } = context.getImageData(0, 0, width, height)
    const at = (x, y) => Math.round(data[4 * (y * width + x) + 3] / 17)
    let [x0, y0, x1, y1] = [width, height, 0, 0]
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        if (at(x, y) === 0) continue
        x0 = Math.min(x0, x)
        y0 = Math.min(y0, y)
        x1 = Math.max(x1, x + 1)
        y1 = Math.max(y1, y + 1)
      }
    }
    const isEmpty = x1 === 0
    const box = isEmpty ? [0, 0, 0, 0] : [x0 - left, y0 - baseline, x1 - x0, y1 - y0]
    glyphs[letter] = [Math.round(widthOf(letter) * 16), ...box, levels.length]
    for (let y = y0; y < y1; y += 1) for (let x = x0; x < x1; x += 1) levels.push(at(x, y))
    if (levels.length % 2 === 1) levels.push(0)
  }
  const ascii = Array.from(text).filter((letter) => letter > ' ' && letter <= '~')
  const kerning = {}
  for (const one of ascii) {
    for (const other of ascii) {
      const pair = Math.round((widthOf(one + other) - widthOf(one) - widthOf(other)) * 16)
      if (Math.abs(pair) >= 8) kerning[one + other] = pair
    }
  }
  return { size, glyphs, kerning, levels }
}

const text = ranges
  .flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, index) => from + index))
  .map((code) => String.fromCodePoint(code))
  .filter((letter) => /[\p{L}\p{N}\p{P}\p{S} ]/u.test(letter))
  .concat(Array.from(others))
  .join('')
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
const page = await browser.newPage()
await page.setContent(`<style>${fontFaces()}</style>`)
const header = {}
const bitmaps = []
let offset = 0
for (const [name, { weight, size }] of Object.entries(styles)) {
  const { levels, ...style } = await page.evaluate(drawStyle, { weight, size, text })
  header[name] = { ...style, offset }
  // Two pixels a byte.
  const packed = Buffer.alloc(levels.length / 2)
  for (let at = 0; at < packed.length; at += 1) {
    packed[at] = levels[2 * at] * 16 + levels[2 * at + 1]
  }
  bitmaps.push(packed)
  offset += packed.length
}
await browser.close()
const file = Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ...bitmaps])
writeFileSync('static/preview-letters.gz', gzipSync(file, { level: 9 }))
process.stdout.write(`${Array.from(text).length} letters, ${file.length} bytes\n`)
