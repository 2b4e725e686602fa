// What pages derive from an accent colour is readable wherever they show it.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { packageRoot } from '../../../src/lib/package-root.ts'
import { defaultSettings } from '../../../src/settings/table.ts'
import { readableShades, themeStyle } from '../../../src/web/pages/theme.ts'

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
const grounds = [token('ground'), token('surface')]

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

theme('should be readable with the default colour', () => {
  for (const name of ['light', 'dark'] as const) {
    assert.ok(isReadable(token('accent')[name], name))
    assert.ok(contrast(token('on-accent')[name], token('accent')[name]) >= ratioMin)
  }
})

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

theme('should match the shades in the preview', () => {
  fc.assert(
    fc.property(colors, (color) => {
      const { light, dark } = readableShades(color)
      assert.equal(themeStyle(color).match(/--[\w-]+: .*;/g), [
        `--accent: light-dark(${light.accent}, ${dark.accent});`,
        `--on-accent: light-dark(${light.onAccent}, ${dark.onAccent});`,
      ])
    }),
  )
})

theme.run()
