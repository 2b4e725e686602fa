type Rgb = readonly [red: number, green: number, blue: number]

const white: Rgb = [255, 255, 255]
const darkGround: Rgb = [16, 19, 24]
/**
 * From src/web/css/tokens.css: text that is readable on these is readable on the backgrounds too.
 */
const lightSurface: Rgb = [245, 246, 248]
const darkSurface: Rgb = [24, 28, 35]
/** WCAG 2.2, 1.4.3: for text of any size. */
const contrastMin = 4.5

/** A colour that is readable on its theme's background, and a text colour for use on it. */
interface Shade {
  /** Both as `#rrggbb`. */
  readonly accent: string
  readonly onAccent: string
}

/**
 * The accent colour for pages: made lighter or darker if unreadable, on background and surface of
 * both themes.
 * @param accent `#rrggbb`
 */
export function readableShades(accent: string): { light: Shade; dark: Shade } {
  const color = parse(accent)
  return {
    light: shade(readableOn(lightSurface, color, [0, 0, 0])),
    dark: shade(readableOn(darkSurface, color, white)),
  }
}

/** A style sheet with the deployment's accent colour. */
export function themeStyle(accent: string): string {
  const { light, dark } = readableShades(accent)
  return `:root {
  --accent: light-dark(${light.accent}, ${dark.accent});
  --on-accent: light-dark(${light.onAccent}, ${dark.onAccent});
}
`
}

function shade(color: Rgb): Shade {
  return { accent: format(color), onAccent: format(textOn(color)) }
}

/** Moves a colour towards another, in steps, until it is readable on the surface. */
function readableOn(surface: Rgb, color: Rgb, towards: Rgb): Rgb {
  for (let step = 0; step <= 20; step += 1) {
    const mixed = mix(color, towards, step / 20)
    if (contrast(mixed, surface) >= contrastMin) return mixed
  }
  return towards
}

function textOn(color: Rgb): Rgb {
  return contrast(white, color) >= contrast(darkGround, color) ? white : darkGround
}

function mix(from: Rgb, to: Rgb, part: number): Rgb {
  const at = (index: 0 | 1 | 2) => Math.round(from[index] + (to[index] - from[index]) * part)
  return [at(0), at(1), at(2)]
}

/** WCAG 2.2, "contrast ratio": 1 to 21. */
function contrast(one: Rgb, other: Rgb): number {
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

function parse(color: string): Rgb {
  const value = Number.parseInt(color.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

function format(color: Rgb): string {
  return `#${color.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}
