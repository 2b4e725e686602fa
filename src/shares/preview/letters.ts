import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { packageRoot } from '../../lib/package-root.ts'

const gunzipAsync = promisify(gunzip)

/** Advance in 1/16 pixel; box from the baseline; offset of its pixels. */
type Glyph = readonly [
  advance: number,
  x: number,
  y: number,
  width: number,
  height: number,
  offset: number,
]

interface StyleHeader {
  readonly size: number
  readonly offset: number
  readonly glyphs: Readonly<Record<string, Glyph>>
  /** Corrections between two letters, in 1/16 pixel. */
  readonly kerning: Readonly<Record<string, number>>
}

export type StyleName = 'title' | 'text'

/** A letter at its place in a line, with a function for its pixels: 0 to 15. */
export interface PlacedGlyph {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly level: (column: number, row: number) => number
}

/** Letters of one size, as drawn by src/dev/draw-letters.mjs. */
export class LetterStyle {
  readonly #header: StyleHeader
  readonly #bitmaps: Buffer

  constructor(header: StyleHeader, bitmaps: Buffer) {
    this.#header = header
    this.#bitmaps = bitmaps
  }

  has(letter: string): boolean {
    return Object.hasOwn(this.#header.glyphs, letter)
  }

  /** In pixels. */
  widthOf(text: string): number {
    return this.#walk(text).width
  }

  place(text: string): PlacedGlyph[] {
    return this.#walk(text).glyphs
  }

  #walk(text: string): { width: number; glyphs: PlacedGlyph[] } {
    const { glyphs, kerning } = this.#header
    const placed: PlacedGlyph[] = []
    let at = 0
    let before = ''
    for (const letter of text) {
      const glyph = this.has(letter) ? glyphs[letter] : undefined
      if (!glyph) continue
      at += kerning[before + letter] ?? 0
      placed.push(this.#placeAt(glyph, Math.round(at / 16)))
      at += glyph[0]
      before = letter
    }
    return { width: at / 16, glyphs: placed }
  }

  #placeAt([, x, y, width, height, offset]: Glyph, at: number): PlacedGlyph {
    const bitmaps = this.#bitmaps
    const level = (column: number, row: number) => {
      const index = offset + row * width + column
      const pair = bitmaps[index >> 1]!
      return index % 2 === 0 ? pair >> 4 : pair & 15
    }
    return { x: at + x, y, width, height, level }
  }
}

export type Letters = Readonly<Record<StyleName, LetterStyle>>

/** They take about a megabyte. */
export async function loadLetters(): Promise<Letters> {
  const file = await readFile(path.join(packageRoot, 'static', 'preview-letters.gz'))
  const bytes = await gunzipAsync(file)
  const end = bytes.indexOf('\n')
  const header = JSON.parse(bytes.toString('utf8', 0, end)) as Record<StyleName, StyleHeader>
  const bitmaps = bytes.subarray(end + 1)
  const style = (name: StyleName) =>
    new LetterStyle(header[name], bitmaps.subarray(header[name].offset))
  return { title: style('title'), text: style('text') }
}
