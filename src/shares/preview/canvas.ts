import { mix, type Rgb } from '../../lib/colors.ts'
import type { PlacedGlyph } from './letters.ts'
import type { IndexedImage } from './png.ts'

/** Steps between a colour and the one under it, for smooth edges. */
const levelMax = 15

/** Steps of the palette from one colour (0) to another (15). */
export type Ramp = number

/** An image of few colours. Each shape names the colour that is under it. */
export class Canvas implements IndexedImage {
  readonly width: number
  readonly height: number
  readonly palette: Rgb[] = []
  readonly pixels: Uint8Array

  constructor(width: number, height: number) {
    this.width = width
    this.height = height
    this.pixels = new Uint8Array(width * height)
  }

  /** At most 16 ramps. */
  ramp(under: Rgb, color: Rgb): Ramp {
    const first = this.palette.length
    for (let level = 0; level <= levelMax; level += 1) {
      this.palette.push(mix(under, color, level / levelMax))
    }
    return first
  }

  fill(ramp: Ramp): void {
    this.pixels.fill(ramp + levelMax)
  }

  /** A circle is a square with half its side as the radius. */
  roundedBox(
    ramp: Ramp,
    box: { x: number; y: number; width: number; height: number; radius: number },
  ): void {
    const { x, y, width, height, radius } = box
    for (let row = 0; row < height; row += 1) {
      for (let column = 0; column < width; column += 1) {
        // Distance beyond the centre of the nearest corner.
        const dx = Math.max(radius - column - 0.5, column + 0.5 - (width - radius), 0)
        const dy = Math.max(radius - row - 0.5, row + 0.5 - (height - radius), 0)
        const cover = Math.min(1, Math.max(0, radius - Math.hypot(dx, dy) + 0.5))
        this.#dot(ramp, x + column, y + row, Math.round(cover * levelMax))
      }
    }
  }

  /** @param corners of a convex shape, clockwise */
  polygon(ramp: Ramp, corners: readonly (readonly [x: number, y: number])[]): void {
    const sides = corners.map(([x, y], index) => {
      const [nextX, nextY] = corners[(index + 1) % corners.length]!
      const length = Math.hypot(nextX - x, nextY - y)
      return { x, y, dx: (nextX - x) / length, dy: (nextY - y) / length }
    })
    const [left, top] = [0, 1].map((at) => Math.floor(Math.min(...corners.map((c) => c[at]!))))
    const [right, bottom] = [0, 1].map((at) => Math.ceil(Math.max(...corners.map((c) => c[at]!))))
    for (let y = top!; y < bottom!; y += 1) {
      for (let x = left!; x < right!; x += 1) {
        const inside = sides.map((side) => {
          return side.dx * (y + 0.5 - side.y) - side.dy * (x + 0.5 - side.x)
        })
        const cover = Math.min(1, Math.max(0, Math.min(...inside) + 0.5))
        this.#dot(ramp, x, y, Math.round(cover * levelMax), true)
      }
    }
  }

  /** @param baseline of the line */
  letters(ramp: Ramp, glyphs: readonly PlacedGlyph[], left: number, baseline: number): void {
    for (const { x, y, width, height, level } of glyphs) {
      for (let row = 0; row < height; row += 1) {
        for (let column = 0; column < width; column += 1) {
          this.#dot(ramp, left + x + column, baseline + y + row, level(column, row), true)
        }
      }
    }
  }

  /** @param joins keeps the stronger of two overlapping dots of a ramp */
  #dot(ramp: Ramp, x: number, y: number, level: number, joins = false): void {
    if (level === 0 || x < 0 || y < 0 || x >= this.width || y >= this.height) return
    const at = y * this.width + x
    const index = ramp + level
    const before = this.pixels[at]!
    if (joins && before > index && before <= ramp + levelMax) return
    this.pixels[at] = index
  }
}
