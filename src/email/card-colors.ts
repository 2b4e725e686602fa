import { contrast, darkGround, formatColor, mix, parseColor, readableOn } from '../lib/colors.ts'
import { shade, white, type Rgb, type Shade } from '../lib/colors.ts'
import { groundColors } from '../lib/ground-colors.ts'

/** All as `#rrggbb`. */
export interface CardColors {
  readonly accent: string
  readonly ground: string
  /** Words on the ground: the name of the service above the card, and the footer below it. */
  readonly name: string
  readonly footer: string
  readonly card: string
  readonly ink: string
  readonly faint: string
  readonly line: string
  readonly soft: string
  /** Ground of buttons and pictures, and a readable text colour on it. */
  readonly fill: string
  readonly onFill: string
}

const darkCard: Rgb = [27, 32, 40]

/**
 * Colours of an email from the deployment's accent, readable on their backgrounds.
 * @param chosenGround `#rrggbb`, or '' for a tone of the accent
 */
export function cardColors(
  accent: string,
  chosenGround: string,
): { light: CardColors; dark: CardColors } {
  const { light, dark } = fromAccent(accent)
  if (chosenGround === '') return { light, dark }
  const grounds = groundColors(chosenGround)
  const on = ({ ground, onGround }: { ground: string; onGround: string }) => {
    return { ground, name: onGround, footer: onGround }
  }
  return { light: { ...light, ...on(grounds.light) }, dark: { ...dark, ...on(grounds.dark) } }
}

function fromAccent(accent: string): { light: CardColors; dark: CardColors } {
  const color = parseColor(accent)
  const ground = mix(white, color, 0.07)
  const soft = mix(white, color, 0.05)
  const nightGround = mix(darkGround, color, 0.06)
  const day = shade(readableOn(ground, color, [0, 0, 0]))
  const night = shade(readableOn(darkCard, color, white))
  // The colour of the day, unless it would vanish.
  const isSeen = contrast(parseColor(day.accent), darkCard) >= 2
  const fills = (from: Shade) => ({ fill: from.accent, onFill: from.onAccent })
  const dayFaint = formatColor(readableOn(ground, [96, 103, 117], [0, 0, 0]))
  const nightFaint = formatColor(readableOn(darkCard, [160, 168, 181], white))
  return {
    light: {
      accent: day.accent,
      name: day.accent,
      ...fills(day),
      ground: formatColor(ground),
      card: '#ffffff',
      ink: '#1b1f27',
      faint: dayFaint,
      footer: dayFaint,
      line: formatColor(mix(white, color, 0.16)),
      soft: formatColor(soft),
    },
    dark: {
      accent: night.accent,
      name: night.accent,
      ...fills(isSeen ? day : night),
      ground: formatColor(nightGround),
      card: formatColor(darkCard),
      ink: '#e9ebef',
      faint: nightFaint,
      footer: nightFaint,
      line: '#353d49',
      soft: '#232a34',
    },
  }
}
