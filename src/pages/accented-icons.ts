import type { AssetAnswer } from '../http/answer.ts'
import { formatColor, mix, parseColor } from '../lib/colors.ts'
import { crc32 } from '../lib/crc32.ts'
import { defaultSettings } from '../settings/table.ts'
import { readableShades } from './theme.ts'

const icon = /^(icon|icon-192|icon-512|icon-maskable|apple-touch-icon|preview)\.(svg|png)$/
/** Faces and lid of the mark in icon.svg. */
const markColors = ['#2468d4', '#64a2ff'] as const

/** A file in the accent colour, if it is an icon of the product. */
export function inAccentColor(name: string, file: AssetAnswer, accentColor: string): AssetAnswer {
  const isOurs = accentColor.toLowerCase() === defaultSettings.accentColor
  if (isOurs || !icon.test(name)) return file
  const { contentType, etag } = file
  const body = name.endsWith('.svg')
    ? paintSvg(file.body, accentColor)
    : paintPng(file, accentColor)
  return { kind: 'asset', contentType, body, etag: `${etag.slice(0, -1)}${accentColor.slice(1)}"` }
}

/** Colours that show on light and on dark tabs. */
function paintSvg(body: Buffer, accentColor: string): Buffer {
  const { light, dark } = readableShades(accentColor)
  const between = (part: number) =>
    formatColor(mix(parseColor(light.accent), parseColor(dark.accent), part))
  const [box, lid] = markColors
  return Buffer.from(body.toString().replaceAll(box, between(0.1)).replaceAll(lid, between(0.65)))
}

/** The palette comes second in a file of build/dev/draw-icons.mjs: from the tile to the mark. */
const palette = { start: 33, steps: 16 }

function paintPng({ body }: AssetAnswer, accentColor: string): Buffer {
  const { accent, onAccent } = readableShades(accentColor).light
  const [tile, mark] = [parseColor(accent), parseColor(onAccent)]
  const painted = Buffer.from(body)
  const bytes = painted.readUInt32BE(palette.start)
  const data = palette.start + 8
  for (let color = 0; color * 3 < bytes; color += 1) {
    const part = color < palette.steps ? color / (palette.steps - 1) : 0
    painted.set(mix(tile, mark, part), data + color * 3)
  }
  painted.writeUInt32BE(crc32(painted.subarray(data - 4, data + bytes)), data + bytes)
  return painted
}
