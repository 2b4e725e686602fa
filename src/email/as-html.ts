import { escapeHtml } from '../http/html.ts'
import type { Language } from '../lib/language.ts'
import { shorten, shortFileName, type Block, type EmailParts } from './blocks.ts'
import { logoContentId, markSize, sizeOf, type EmbeddedLogo } from './logo.ts'
import * as colors from '../lib/colors.ts'

export interface CardFrame {
  readonly language: Language
  /** One line. */
  readonly appName: string
  /** `#rrggbb`. */
  readonly accentColor: string
  /** `#rrggbb`, or '' for a tone of the accent. */
  readonly groundColor: string
  readonly logo: EmbeddedLogo | null
  /** Whether the product's mark stands beside the name, because there is no logo. */
  readonly hasMark: boolean
}

const widthMax = 560
const filesMax = 5
/** One line beside the size, and at most two on a phone. */
const fileCharactersMax = 46
const headingCharactersMax = 120
/** A longer heading gets smaller letters. */
const shortHeadingMax = 60
/** Gmail cuts emails off after 102 KB. The plain text holds the whole message. */
const quoteCharactersMax = 4000

/** A table for layout, which screen readers do not announce. */
const table = 'table role="presentation" border="0" cellpadding="0" cellspacing="0"'
const fixed = 'table-layout:fixed'
const wideTable = `${table} width="100%" style="${fixed}"`
const spaceBelow = 'padding:0 0 14px'

/**
 * The email as HTML for programs that know little of it: tables, inline styles, no external
 * picture. Its one style sheet, for dark mode, may be ignored.
 */
export function emailAsHtml({ heading, blocks, footer }: EmailParts, frame: CardFrame): string {
  const { light, dark } = cardColors(frame.accentColor, frame.groundColor)
  const { ground, card, ink, line } = light
  const title = shorten(heading, headingCharactersMax)
  const titleSize = title.length <= shortHeadingMax ? 24 : 19
  const titleStyle = `margin:0;${words(titleSize, ink, 1.3)};font-weight:700`
  const cardStyle = `background:${card};border:1px solid ${line};border-radius:12px`
  const brandStyle = `padding:0 4px 16px;${words(16, ink)}`
  const footerStyle = `padding:16px 4px 0;${words(13, light.footer)}`
  const rows = (isPerson: boolean) =>
    blocks
      .filter(({ kind }) => (kind === 'person') === isPerson)
      .map((block) => `${blockRow(block, light)}\n`)
      .join('')
  return `<!doctype html>
<html lang="${frame.language}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
${darkStyle(dark)}
</head>
<body class="ground" bgcolor="${ground}" style="margin:0;padding:0;background:${ground}">
<${table} class="ground" bgcolor="${ground}" width="100%" style="${fixed}">
<tr><td align="center" style="padding:24px 12px">
<${table} width="${widthMax}" style="width:100%;max-width:${widthMax}px;${fixed}">
<tr><td class="ink" style="${brandStyle}">${brand(frame, light)}</td></tr>
<tr><td class="card" bgcolor="${card}" style="padding:28px 24px 12px;${cardStyle}">
<${wideTable}>
${rows(true)}<tr><td style="${spaceBelow}">
<h1 class="ink" dir="auto" style="${titleStyle}">${escapeHtml(title)}</h1>
</td></tr>
${rows(false)}</table>
</td></tr>
<tr><td class="footer" style="${footerStyle}">${lines(footer)}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}

/** Programs that drop it show the light card. */
function darkStyle(dark: CardColors): string {
  const { ground, name, footer, card, ink, faint, line, soft, accent, fill, onFill } = dark
  return `<style>
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.ground{background:${ground}!important}
.name{color:${name}!important}
.footer{color:${footer}!important}
.card{background:${card}!important;border-color:${line}!important}
.ink{color:${ink}!important}
.faint{color:${faint}!important}
.line{border-color:${line}!important}
.soft{background:${soft}!important;border-color:${accent}!important}
.accent{color:${accent}!important}
.filled{background:${fill}!important}
.filled,.filled a{color:${onFill}!important}
.logo{background:#ffffff!important;padding:6px 10px!important}
}
</style>`
}

function brand({ appName, logo, hasMark }: CardFrame, { name }: CardColors): string {
  if (!logo) {
    const side = `${sizeOf(markSize)} style="border:0;vertical-align:middle"`
    const mark = hasMark ? `<img src="cid:${logoContentId}" alt="" ${side}>&nbsp; ` : ''
    return `${mark}<b class="name" style="color:${name}">${escapeHtml(appName)}</b>`
  }
  const size = sizeOf(logo)
  const style = 'display:block;border:0;border-radius:4px'
  const source = `src="cid:${logoContentId}" alt="${escapeHtml(appName)}"`
  // The light background keeps a dark logo visible in dark mode.
  return `<img class="logo" ${source} ${size} style="${style}">`
}

/** The rows of a block in the card's table. */
function blockRow(block: Block, colors: CardColors): string {
  switch (block.kind) {
    case 'text':
      return wordsRow('ink', 16, escapeHtml(block.text), colors)
    case 'note':
      return wordsRow('faint', 14, escapeHtml(block.text), colors)
    case 'facts':
      return wordsRow('faint', 15, factsOf(block.items), colors)
    case 'list':
      return wordsRow('ink', 16, lines(block.items), colors)
    case 'quote':
      return quoteRow(block.text, colors)
    case 'person':
      return personRow(block, colors)
    case 'files':
      return filesRow(block, colors)
    case 'button':
      return buttonRows(block, colors)
  }
}

function wordsRow(color: 'ink' | 'faint', size: number, html: string, colors: CardColors): string {
  const style = `${spaceBelow};${words(size, colors[color])}`
  return `<tr><td class="${color}" style="${style}">${html}</td></tr>`
}

/** Facts break between each other, and inside only where one is longer than the card. */
function factsOf(items: readonly string[]): string {
  return items
    .map((item, index) => escapeHtml(item) + (index < items.length - 1 ? ' ·' : ''))
    .map((html) => `<span style="display:inline-block">${html}</span>`)
    .join(' ')
}

function quoteRow(text: string, { ink, soft, accent }: CardColors): string {
  const html = lines(shorten(text, quoteCharactersMax).split('\n'))
  const border = `border-left:3px solid ${accent};border-radius:4px`
  const style = `padding:12px 16px;background:${soft};${border};${words(16, ink)}`
  return `<tr><td style="${spaceBelow}"><${wideTable}>
<tr><td class="soft ink" dir="auto" bgcolor="${soft}" style="${style}">${html}</td></tr>
</table></td></tr>`
}

/** The picture has a table of its own, because cells grow with their row. */
function personRow(person: Extract<Block, { kind: 'person' }>, colors: CardColors): string {
  const { ink, faint, fill, onFill } = colors
  const [initials, lead, address] = [person.initials, person.lead, person.address].map(escapeHtml)
  const size = 'width="44" height="44" align="center"'
  const round = `width:44px;height:44px;background:${fill};border-radius:22px`
  const style = `${round};${words(17, onFill)};line-height:44px;font-weight:600`
  const under = `<span class="faint" style="font-size:14px;color:${faint}">${address}</span>`
  const said = address === '' ? lead : `${lead}<br>\n${under}`
  return `<tr><td style="${spaceBelow}"><${wideTable}>
<tr><td width="56" valign="top"><${table} width="44" style="${fixed}">
<tr><td class="filled" ${size} bgcolor="${fill}" style="${style}">${initials}</td></tr>
</table></td>
<td class="ink" valign="middle" style="${words(16, ink)}">${said}</td></tr>
</table></td></tr>`
}

function filesRow(block: Extract<Block, { kind: 'files' }>, colors: CardColors): string {
  const { ink, faint, line } = colors
  const shown = block.files.slice(0, filesMax)
  const more = block.more(shown.length)
  const inRow = (name: string) => shortFileName(name.split('/').at(-1)!, fileCharactersMax)
  const border = `border-top:1px solid ${line}`
  const nameStyle = `padding:8px 0;${border};${words(15, ink)}`
  const sizeStyle = `padding:8px 0 8px 8px;${border};${words(15, faint)};white-space:nowrap`
  const sizePlace = 'width="80" align="right" valign="top"'
  const rows = shown.map(
    ({ name, size }) =>
      `<tr><td class="line ink" style="${nameStyle}"><bdi>${escapeHtml(inRow(name))}</bdi></td>
<td class="line faint" ${sizePlace} style="${sizeStyle}">${escapeHtml(size)}</td></tr>\n`,
  )
  if (more !== null) {
    const style = `padding:8px 0;${border};${words(15, faint)}`
    rows.push(
      `<tr><td class="line faint" colspan="2" style="${style}">${escapeHtml(more)}</td></tr>\n`,
    )
  }
  return `<tr><td style="${spaceBelow}"><${wideTable}>\n${rows.join('')}</table></td></tr>`
}

/** A coloured cell, so that it is a button even where links have no padding. */
function buttonRows(button: Extract<Block, { kind: 'button' }>, colors: CardColors): string {
  const { accent, fill, onFill } = colors
  const [text, url, orLink] = [button.text, button.url, button.orLink].map(escapeHtml)
  const shape = 'display:block;padding:14px 16px;text-decoration:none'
  const style = `${shape};${words(17, onFill, 1.3)};font-weight:600`
  // Only Outlook, which ignores the padding of links, knows mso-padding-alt.
  const cellStyle = `background:${fill};border-radius:8px;mso-padding-alt:14px 16px`
  const plainStyle = `color:${accent};word-break:break-all`
  const plain = `<a class="accent" href="${url}" style="${plainStyle}">${url}</a>`
  return `<tr><td style="padding:10px 0 14px"><${wideTable}>
<tr><td class="filled" align="center" bgcolor="${fill}" style="${cellStyle}">
<a href="${url}" style="${style}">${text}</a>
</td></tr>
</table></td></tr>
${wordsRow('faint', 13, `${orLink}<br>\n${plain}`, colors)}`
}

function lines(texts: readonly string[]): string {
  return texts.map(escapeHtml).join('<br>\n')
}

/**
 * The style of text. Long words must not widen the card.
 * @param size in pixels
 */
function words(size: number, color: string, lineHeight = 1.5): string {
  return [
    'font-family:-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif',
    `font-size:${size}px`,
    `line-height:${Math.round(size * lineHeight)}px`,
    `color:${color}`,
    'word-wrap:break-word;overflow-wrap:anywhere;word-break:break-word',
  ].join(';')
}

/** All as `#rrggbb`. */
export type CardColors = ReturnType<typeof cardColors>['light']

const darkCard: colors.Rgb = [27, 32, 40]

/**
 * Colours of an email from the deployment's accent, readable on their backgrounds. `name` and
 * `footer` are texts on the ground; `fill` is the ground of buttons and pictures, `onFill` text on
 * it.
 * @param chosenGround `#rrggbb`, or '' for a tone of the accent
 */
export function cardColors(accent: string, chosenGround: string) {
  const color = colors.parseColor(accent)
  const ground = colors.mix(colors.white, color, 0.07)
  const day = colors.shade(colors.readableOn(ground, color, [0, 0, 0]))
  const night = colors.shade(colors.readableOn(darkCard, color, colors.white))
  // The colour of the day, unless it would vanish.
  const nightFill = colors.contrast(colors.parseColor(day.accent), darkCard) >= 2 ? day : night
  const light = {
    ground: colors.formatColor(ground),
    name: day.accent,
    footer: '#606775',
    card: '#ffffff',
    ink: '#1b1f27',
    faint: '#606775',
    line: colors.formatColor(colors.mix(colors.white, color, 0.16)),
    soft: colors.formatColor(colors.mix(colors.white, color, 0.05)),
    accent: day.accent,
    fill: day.accent,
    onFill: day.onAccent,
  }
  const dark = {
    ground: colors.formatColor(colors.mix(colors.darkGround, color, 0.06)),
    name: night.accent,
    footer: '#a0a8b5',
    card: colors.formatColor(darkCard),
    ink: '#e9ebef',
    faint: '#a0a8b5',
    line: '#353d49',
    soft: '#232a34',
    accent: night.accent,
    fill: nightFill.accent,
    onFill: nightFill.onAccent,
  }
  if (chosenGround === '') return { light, dark }
  const grounds = colors.groundColors(chosenGround)
  const on = ({ ground, onGround }: { ground: string; onGround: string }) => {
    return { ground, name: onGround, footer: onGround }
  }
  return { light: { ...light, ...on(grounds.light) }, dark: { ...dark, ...on(grounds.dark) } }
}
