// What pages derive from an accent colour is readable wherever they show it.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { packageRoot } from '../../src/lib/package-root.ts'
import { defaultSettings } from '../../src/settings/table.ts'
import { groundColors } from '../../src/lib/colors.ts'
import { hasTheme, previewColors, readableShades, themeStyle } from '../../src/pages/theme.ts'

const theme = suite('pages: theme')
const ratioMin = 4.5
const tokens = readFileSync(path.join(packageRoot, 'src/web/css/tokens.css'), 'utf8')

/** A colour of the style, in light and dark. */
function token(name: string): { light: string; dark: string } {
  const [, light, dark] = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(
    tokens,
  )!
  return { light: light!, dark: dark! }
}
const grounds = ['ground', 'surface'].map(token)

/** WCAG 2.2's ratio of two colours, written from its text. */
function contrast(one: string, other: string): number {
  const luminances = [one, other].map((color) => {
    const [red, green, blue] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue! + 0.05
  })
  return Math.max(...luminances) / Math.min(...luminances)
}

const isReadable = (color: string, name: 'light' | 'dark') =>
  grounds.every((ground) => contrast(color, ground[name]) >= ratioMin)

const colors = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`)

theme('should derive the shades of the style from the default colour', () => {
  const { light, dark } = readableShades(defaultSettings.accentColor)
  const accent = { light: light.accent, dark: dark.accent }
  const onAccent = { light: light.onAccent, dark: dark.onAccent }
  assert.equal([accent, onAccent], [token('accent'), token('on-accent')])
})

theme('should derive readable shades of any colour, and text on them, in light and dark', () => {
  fc.assert(
    fc.property(colors, (color) => {
      const shades = readableShades(color)
      for (const name of ['light', 'dark'] as const) {
        const { accent, onAccent } = shades[name]
        assert.ok(isReadable(accent, name), `${accent} of ${color} in ${name}`)
        assert.ok(contrast(onAccent, accent) >= ratioMin, `${onAccent} on ${accent} of ${color}`)
        if (isReadable(color, name)) assert.is(accent, color)
      }
    }),
    { numRuns: 2000 },
  )
})

const anyColor = fc.oneof(fc.constant(''), colors)

theme('should match the shades in the preview', () => {
  const property = fc.property(colors, anyColor, (accentColor, groundColor) => {
    const { light, dark } = previewColors(accentColor, groundColor)
    const style = themeStyle({ ...defaultSettings, accentColor, groundColor })
    const line = (name: string, key: keyof typeof light) =>
      `--${name}: light-dark(${light[key]}, ${dark[key]});`
    const accents = [line('accent', 'accent'), line('on-accent', 'onAccent')]
    const grounds = [line('backdrop', 'ground'), line('on-backdrop', 'onGround')]
    const glows = [line('glow', 'tone'), '--glow-2: var(--glow);']
    const lines = (style.match(/^ {2}--[\w-]+: .*;$/gm) ?? []).map((one) => one.trim())
    const shown = accentColor === defaultSettings.accentColor ? [] : accents
    assert.equal(
      lines.toSorted(),
      [...shown, ...(groundColor ? [...grounds, ...glows] : [])].toSorted(),
    )
  })
  fc.assert(property)
})

/** A colour below another that lets some of it through. */
function over(color: string, tone: string): string {
  const part = Number.parseInt(tone.slice(7), 16) / 255
  const mixed = [1, 3, 5].map((at) => {
    const [under, above] = [color, tone].map((one) => Number.parseInt(one.slice(at, at + 2), 16))
    return Math.round(under! * (1 - part) + above! * part)
  })
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

theme('should have readable words on a ground of any colour, and on its pattern', () => {
  fc.assert(
    fc.property(colors, (color) => {
      const { light, dark } = groundColors(color)
      assert.is(light.ground, color)
      for (const { ground, onGround, tone } of [light, dark]) {
        const once = over(ground, tone)
        for (const under of [ground, once, over(once, tone)]) {
          assert.ok(contrast(onGround, under) >= ratioMin, `${onGround} on ${under} of ${color}`)
        }
      }
    }),
    { numRuns: 3000 },
  )
})

theme('should have readable words on the glow of any accent, and over any picture', () => {
  const words = token('text')
  fc.assert(
    fc.property(colors, (color) => {
      const shades = readableShades(color)
      for (const [name, paper] of [
        ['light', '#ffffff'],
        ['dark', '#06080b'],
      ] as const) {
        const { accent } = shades[name]
        // As in tokens.css: 9 % and 30 % of the accent.
        const glow = over(over(paper, `${accent}17`), `${accent}4d`)
        // As in theme.ts: nine tenths of the ground.
        const plate = over(color, `${token('ground')[name]}e5`)
        for (const under of [glow, plate]) {
          assert.ok(contrast(words[name], under) >= ratioMin, `${under} of ${color} in ${name}`)
        }
      }
    }),
    { numRuns: 2000 },
  )
  const style = themeStyle({ ...defaultSettings, groundPicture: 'A'.repeat(22) })
  assert.match(style, 'background: color-mix(in srgb, var(--ground) 90%, transparent)')
})

theme('should have no style sheet for the default, and one for each change of it', () => {
  assert.not(hasTheme(defaultSettings))
  for (const change of [
    { accentColor: '#aa0011' },
    { groundColor: '#aa0011' },
    { groundPicture: 'A'.repeat(22) },
    { cornerRadius: 'round' },
  ] as const) {
    assert.ok(hasTheme({ ...defaultSettings, ...change }), JSON.stringify(change))
  }
})
