import { contrast, formatColor, mix, parseColor, white, type Rgb } from './colors.ts'

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
