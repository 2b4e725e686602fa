import * as colors from '../lib/colors.ts'
import type { CornerRadius } from '../settings/branding.ts'
import { defaultSettings, type SettingValues } from '../settings/table.ts'

/**
 * From src/web/css/tokens.css: text that is readable on these is readable on the backgrounds too.
 */
const lightSurface: colors.Rgb = [243, 245, 248]
const darkSurface: colors.Rgb = [39, 45, 56]

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
export function readableShades(accent: string): { light: colors.Shade; dark: colors.Shade } {
  if (accent.toLowerCase() === defaultSettings.accentColor) return defaultShades
  const color = colors.parseColor(accent)
  return {
    light: colors.shade(colors.readableOn(lightSurface, color, [0, 0, 0])),
    dark: colors.shade(colors.readableOn(darkSurface, color, colors.white)),
  }
}

type Colors = colors.Shade & Partial<colors.GroundColors>

/** The same with the colours of a ground, unless it is ''. */
export function previewColors(accent: string, ground: string): { light: Colors; dark: Colors } {
  const { light, dark } = readableShades(accent)
  if (ground === '') return { light, dark }
  const grounds = colors.groundColors(ground)
  return { light: { ...light, ...grounds.light }, dark: { ...dark, ...grounds.dark } }
}

/** What branding decides about colours and shapes. */
export type Theme = Pick<
  SettingValues,
  'accentColor' | 'groundColor' | 'groundPicture' | 'cornerRadius'
>

const radii: Readonly<Record<CornerRadius, string>> = {
  sharp: '0px',
  soft: '0.75rem',
  round: '1.25rem',
}

/** Pages without a theme do not load its style sheet. */
export function hasTheme(theme: Theme): boolean {
  return themeStyle(theme) !== ''
}

/**
 * A style sheet with the tokens that branding has changed (src/web/css/tokens.css).
 * @param basePath before the address of the picture
 */
export function themeStyle(theme: Theme, basePath = ''): string {
  const { accentColor, groundColor, groundPicture, cornerRadius } = theme
  const tokens: string[] = []
  if (accentColor !== defaultSettings.accentColor) {
    const { light, dark } = readableShades(accentColor)
    tokens.push(`--accent: light-dark(${light.accent}, ${dark.accent})`)
    tokens.push(`--on-accent: light-dark(${light.onAccent}, ${dark.onAccent})`)
  }
  if (cornerRadius !== defaultSettings.cornerRadius) tokens.push(`--radius: ${radii[cornerRadius]}`)
  if (groundColor !== '') {
    const { light, dark } = colors.groundColors(groundColor)
    tokens.push(`--backdrop: light-dark(${light.ground}, ${dark.ground})`)
    tokens.push(`--glow: light-dark(${light.tone}, ${dark.tone})`, '--glow-2: var(--glow)')
    tokens.push(`--on-backdrop: light-dark(${light.onGround}, ${dark.onGround})`)
  }
  if (groundPicture !== '') {
    const address = `${basePath}/ground-picture?v=${groundPicture}`
    const dimming = 'linear-gradient(light-dark(#0000, #0009) 0 0)'
    tokens.push(`--picture: ${dimming}, url('${address}')`)
  }
  if (tokens.length === 0) return ''
  const outside = groundPicture !== '' ? onPicture : groundColor !== '' ? onColor : ''
  return `:root {\n${tokens.map((token) => `  ${token};\n`).join('')}}\n${outside}`
}

/** The header and footer: these are not in a layer, and so come last. */
const around = '.shell >'

/** Words and focus on a colour of any lightness. Those with a ground of their own keep it. */
const onColor = `${around} header .brand,
${around} header > .button,
${around} footer :is(a, label, select) {
  color: var(--on-backdrop);
  outline-color: currentcolor;
}
${around} header > .button:is(:hover, :active) {
  background: none;
  text-decoration: underline;
}
@media (width >= 40rem) {
  ${around} header > .nav > a:not([aria-current], :hover, :active) {
    color: var(--on-backdrop);
    outline-color: currentcolor;
  }
}
`

/** Plates under what no picture may make unreadable. */
const onPicture = `${around} footer,
.public > header > .brand,
.shell:not(.public) > header {
  width: fit-content;
  padding-inline: 1rem;
  border-radius: var(--radius);
  background: color-mix(in srgb, var(--ground) 90%, transparent);
}
${around} footer {
  margin-block-end: 1rem;
  padding-block: 0.5rem;
}
.shell:not(.public) > header {
  width: auto;
}
@media (width < 40rem) {
  .shell:not(.public) > header {
    border-radius: 0;
  }
}
`
