export type Rgb = readonly [red: number, green: number, blue: number]

export const white: Rgb = [255, 255, 255]
export const darkGround: Rgb = [16, 19, 24]

/** WCAG 2.2, 1.4.3: for text of any size. */
const contrastMin = 4.5

/** A colour that is readable on its background, and a text colour for use on it. */
export interface Shade {
  /** Both as `#rrggbb`. */
  readonly accent: string
  readonly onAccent: string
}

/** Moves a colour towards another, in steps, until it is readable on the surface. */
export function readableOn(surface: Rgb, color: Rgb, towards: Rgb): Rgb {
  for (let step = 0; step <= 20; step += 1) {
    const mixed = mix(color, towards, step / 20)
    if (contrast(mixed, surface) >= contrastMin) return mixed
  }
  return towards
}

export function shade(color: Rgb): Shade {
  const isDark = contrast(white, color) >= contrast(darkGround, color)
  return { accent: formatColor(color), onAccent: formatColor(isDark ? white : darkGround) }
}

/** @param part 0 for the first color, 1 for the second */
export function mix(from: Rgb, to: Rgb, part: number): Rgb {
  const at = (index: 0 | 1 | 2) => Math.round(from[index] + (to[index] - from[index]) * part)
  return [at(0), at(1), at(2)]
}

/** WCAG 2.2, "contrast ratio": 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light! + 0.05) / (dark! + 0.05)
}

/** WCAG 2.2, "relative luminance". */
function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

/** @param color `#rrggbb` */
export function parseColor(color: string): Rgb {
  const value = Number.parseInt(color.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

export function formatColor(color: Rgb): string {
  return `#${color.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

/** A colour behind cards. All as `#rrggbb`, and the tone as `#rrggbbaa`. */
export interface GroundColors {
  readonly ground: string
  /** Black or white: readable on the ground, and on its pattern. */
  readonly onGround: string
  /** Drawn on the ground, even twice. */
  readonly tone: string
}

const black: Rgb = [0, 0, 0]
/** Behind dark cards. */
const night: Rgb = [6, 8, 11]
const nightPart = 0.7
/** Above this contrast, a pattern in the colour of texts leaves them readable. */
const ampleContrast = 9

/** @param color `#rrggbb`, as chosen: dark pages show it darker */
export function groundColors(color: string): { light: GroundColors; dark: GroundColors } {
  const chosen = parseColor(color)
  return { light: ground(chosen), dark: ground(mix(chosen, night, nightPart)) }
}

function ground(color: Rgb): GroundColors {
  const [text, other] =
    contrast(white, color) >= contrast(black, color) ? [white, black] : [black, white]
  const isAmple = contrast(text, color) > ampleContrast
  const tone = formatColor(isAmple ? text : other) + (isAmple ? '0f' : '24')
  return { ground: formatColor(color), onGround: formatColor(text), tone }
}
