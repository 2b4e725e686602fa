import {
  contrast,
  darkGround,
  formatColor,
  mix,
  parseColor,
  readableOn,
  shade,
  white,
  type Rgb,
  groundColors,
} from '../lib/colors.ts'

/** All as `#rrggbb`. */
export type CardColors = ReturnType<typeof cardColors>['light']

const darkCard: Rgb = [27, 32, 40]

/**
 * Colours of an email from the deployment's accent, readable on their backgrounds. `name` and
 * `footer` are texts on the ground; `fill` is the ground of buttons and pictures, `onFill` text on
 * it.
 * @param chosenGround `#rrggbb`, or '' for a tone of the accent
 */
export function cardColors(accent: string, chosenGround: string) {
  const color = parseColor(accent)
  const ground = mix(white, color, 0.07)
  const day = shade(readableOn(ground, color, [0, 0, 0]))
  const night = shade(readableOn(darkCard, color, white))
  // The colour of the day, unless it would vanish.
  const nightFill = contrast(parseColor(day.accent), darkCard) >= 2 ? day : night
  const light = {
    ground: formatColor(ground),
    name: day.accent,
    footer: '#606775',
    card: '#ffffff',
    ink: '#1b1f27',
    faint: '#606775',
    line: formatColor(mix(white, color, 0.16)),
    soft: formatColor(mix(white, color, 0.05)),
    accent: day.accent,
    fill: day.accent,
    onFill: day.onAccent,
  }
  const dark = {
    ground: formatColor(mix(darkGround, color, 0.06)),
    name: night.accent,
    footer: '#a0a8b5',
    card: formatColor(darkCard),
    ink: '#e9ebef',
    faint: '#a0a8b5',
    line: '#353d49',
    soft: '#232a34',
    accent: night.accent,
    fill: nightFill.accent,
    onFill: nightFill.onAccent,
  }
  if (chosenGround === '') return { light, dark }
  const grounds = groundColors(chosenGround)
  const on = ({ ground, onGround }: { ground: string; onGround: string }) => {
    return { ground, name: onGround, footer: onGround }
  }
  return { light: { ...light, ...on(grounds.light) }, dark: { ...dark, ...on(grounds.dark) } }
}
