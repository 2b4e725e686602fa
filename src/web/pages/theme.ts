import { parseColor, readableOn, shade, white, type Rgb, type Shade } from '../../lib/colors.ts'
import { defaultSettings } from '../../settings/table.ts'

/**
 * From src/web/css/tokens.css: text that is readable on these is readable on the backgrounds too.
 */
const lightSurface: Rgb = [245, 246, 248]
const darkSurface: Rgb = [24, 28, 35]

/** The default accent's, from src/web/css/tokens.css: no page loads a theme for it. */
const defaultShades = {
  light: { accent: '#1d5fc4', onAccent: '#ffffff' },
  dark: { accent: '#86b4ff', onAccent: '#101318' },
}

/**
 * The accent colour for pages: made lighter or darker if unreadable, on background and surface of
 * both themes.
 * @param accent `#rrggbb`
 */
export function readableShades(accent: string): { light: Shade; dark: Shade } {
  if (accent.toLowerCase() === defaultSettings.accentColor) return defaultShades
  const color = parseColor(accent)
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
