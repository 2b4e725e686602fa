import { white, mix, parseColor, type Rgb } from '../../lib/colors.ts'
import { readableShades } from '../../web/pages/theme.ts'
import { Canvas } from './canvas.ts'
import type { Letters, LetterStyle } from './letters.ts'

/** The size that messengers ask for. */
export const pictureWidth = 1200
export const pictureHeight = 630

/** What a picture shows; plain text. */
export interface PictureTexts {
  readonly title: string
  /** In place of a title that the letters cannot show. */
  readonly untitled: string
  /** Number and size of the files. */
  readonly facts: string
  /** '' for none. */
  readonly sender: string
  /** Letters in the sender's picture. */
  readonly initials: string
  readonly appName: string
  /** `#rrggbb`. */
  readonly accentColor: string
  /** `#rrggbb`, or '' for a tone of the accent. */
  readonly groundColor: string
}

const ink: Rgb = [27, 31, 39]
const faint: Rgb = [89, 97, 110]
const margin = 56
const padding = 76
const left = margin + padding
const right = pictureWidth - margin - padding
const titleLinesMax = 2
const titleLineHeight = 84

/** A card with the name of a share, its files and its sender. */
export function drawPicture(texts: PictureTexts, { title, text }: Letters): Canvas {
  const { accent, onAccent } = readableShades(texts.accentColor).light
  const [color, onColor] = [parseColor(accent), parseColor(onAccent)]
  const ground = texts.groundColor ? parseColor(texts.groundColor) : mix(white, color, 0.1)
  const canvas = new Canvas(pictureWidth, pictureHeight)
  const card = canvas.ramp(ground, white)
  const shape = canvas.ramp(white, color)
  const onShape = canvas.ramp(color, onColor)
  const words = canvas.ramp(white, ink)
  const small = canvas.ramp(white, faint)
  canvas.fill(canvas.ramp(ground, ground))
  const [width, height] = [pictureWidth - 2 * margin, pictureHeight - 2 * margin]
  canvas.roundedBox(card, { x: margin, y: margin, width, height, radius: 36 })

  drawMark(canvas, shape, canvas.ramp(white, mix(color, white, 0.4)))
  const appName = cut(text, readable(text, texts.appName) ?? '', 700)
  canvas.letters(small, text.place(appName), left + 80, 155)

  const heading = readable(title, texts.title) ?? texts.untitled
  const lines = wrap(title, heading, right - left, titleLinesMax)
  const sender = readable(text, texts.sender)
  const first = (lines.length === 1 ? 296 : 262) + (sender ? 0 : 40)
  lines.forEach((line, index) => {
    canvas.letters(words, title.place(line), left, first + index * titleLineHeight)
  })
  canvas.letters(small, text.place(texts.facts), left, first + lines.length * titleLineHeight - 24)

  if (!sender) return canvas
  const initials = readable(text, texts.initials) ?? ''
  canvas.roundedBox(shape, { x: left, y: 452, width: 72, height: 72, radius: 36 })
  const initialsLeft = left + 36 - Math.round(text.widthOf(initials) / 2)
  canvas.letters(onShape, text.place(initials), initialsLeft, 501)
  canvas.letters(words, text.place(cut(text, sender, right - left - 96)), left + 96, 501)
  return canvas
}

/** The mark of the service, as in static/icon.svg but with sharp corners, at twice its size. */
function drawMark(canvas: Canvas, box: number, lid: number): void {
  const [x, y] = [left - 4, 110]
  const shape = (ramp: number, ...corners: readonly (readonly [number, number])[]) =>
    canvas.polygon(
      ramp,
      corners.map(([across, down]) => [x + 2 * across, y + 2 * down]),
    )
  shape(lid, [2, 8], [16, 1], [16, 7], [2, 14])
  shape(lid, [16, 1], [30, 8], [30, 14], [16, 7])
  shape(box, [2, 18], [14, 12], [14, 30], [2, 24])
  shape(box, [18, 12], [30, 18], [30, 24], [18, 30])
}

/** Without signs that the letters lack, such as emoji; null when words would be incomplete. */
function readable(style: LetterStyle, words: string): string | null {
  const letters = Array.from(words.normalize('NFC'))
  if (letters.some((letter) => /[\p{L}\p{N}]/u.test(letter) && !style.has(letter))) return null
  const known = letters.map((letter) => (style.has(letter) ? letter : ' ')).join('')
  return known.replaceAll(/\s+/g, ' ').trim() || null
}

/** Ends with … if it is too long. */
function cut(style: LetterStyle, words: string, widthMax: number): string {
  if (style.widthOf(words) <= widthMax) return words
  let kept = words
  while (kept !== '' && style.widthOf(`${kept}…`) > widthMax) kept = kept.slice(0, -1)
  return `${kept.trimEnd()}…`
}

/** Breaks between words, and inside only where one is longer than a line. */
function wrap(style: LetterStyle, words: string, widthMax: number, linesMax: number): string[] {
  const lines: string[] = []
  let rest = words
  while (lines.length < linesMax - 1 && style.widthOf(rest) > widthMax) {
    const end = lineEnd(style, rest, widthMax)
    lines.push(rest.slice(0, end).trim())
    rest = rest.slice(end).trim()
  }
  return [...lines, cut(style, rest, widthMax)]
}

function lineEnd(style: LetterStyle, words: string, widthMax: number): number {
  let end = words.length
  while (end > 1 && style.widthOf(words.slice(0, end)) > widthMax) end -= 1
  const space = words.lastIndexOf(' ', end)
  return space > 0 ? space : end
}
