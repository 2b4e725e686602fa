import { escapeHtml } from '../http/html.ts'
import type { Language } from '../lib/language.ts'
import { shorten, type Block, type Letter } from './blocks.ts'
import { cardColors, type CardColors } from './card-colors.ts'
import { element, row, table, wordsStyle } from './elements.ts'
import type { EmbeddedLogo } from './logo.ts'

export interface CardFrame {
  readonly language: Language
  /** One line. */
  readonly appName: string
  /** `#rrggbb`. */
  readonly accentColor: string
  /** `#rrggbb`, or '' for a tone of the accent. */
  readonly groundColor: string
  readonly logo: EmbeddedLogo | null
}

/** Where the message holds the logo: see smtp.ts. */
export const logoContentId = 'logo'

const widthMax = 560
const filesMax = 5
const headingCharactersMax = 120
/** A longer heading gets smaller letters. */
const shortHeadingMax = 60
/** Gmail cuts emails off after 102 KB. The plain text holds the whole message. */
const quoteCharactersMax = 4000

/**
 * The email as HTML for programs that know little of it: tables, inline styles, no external
 * picture. Its one style sheet, for dark mode, may be ignored.
 */
export function letterAsHtml(letter: Letter, frame: CardFrame): string {
  const { light, dark } = cardColors(frame.accentColor, frame.groundColor)
  const title = shorten(letter.heading, headingCharactersMax)
  const ground = { class: 'ground', bgcolor: light.ground }
  const body = element(
    'body',
    { ...ground, style: ['margin:0', 'padding:0', `background:${light.ground}`] },
    table({ ...ground, width: '100%' }, [
      element(
        'tr',
        {},
        element(
          'td',
          { align: 'center', style: ['padding:24px 12px'] },
          column(letter, title, frame, light),
        ),
      ),
    ]),
  )
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
${body}
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

/** The name of the service, the card, and the footer. */
function column(letter: Letter, title: string, frame: CardFrame, colors: CardColors): string {
  const { ink, footer, card: ground, line } = colors
  const card = new Card(colors)
  const rows = [...card.top(letter.blocks), card.heading(title), ...card.rest(letter.blocks)]
  const width = { width: widthMax, style: ['width:100%', `max-width:${widthMax}px`] }
  const cardStyle = [`background:${ground}`, `border:1px solid ${line}`, 'border-radius:12px']
  return table(width, [
    row(
      { class: 'ink', style: ['padding:0 4px 16px', ...wordsStyle(16, ink)] },
      brand(frame, colors),
    ),
    row(
      { class: 'card', bgcolor: ground, style: ['padding:28px 24px 12px', ...cardStyle] },
      table({ width: '100%' }, rows),
    ),
    row(
      { class: 'footer', style: ['padding:16px 4px 0', ...wordsStyle(13, footer)] },
      letter.footer.map(escapeHtml).join('<br>\n'),
    ),
  ])
}

function brand({ appName, logo }: CardFrame, { name }: CardColors): string {
  const style = [`color:${name}`]
  if (!logo) return element('b', { class: 'name', style }, escapeHtml(appName))
  // The light background keeps a dark logo visible in dark mode.
  return element('img', {
    class: 'logo',
    src: `cid:${logoContentId}`,
    alt: appName,
    width: logo.width,
    height: logo.height,
    style: ['display:block', 'border:0', 'border-radius:4px'],
  })
}

/** The rows of the card. */
class Card {
  readonly #colors: CardColors

  constructor(colors: CardColors) {
    this.#colors = colors
  }

  /** The person stands above the heading. */
  top(blocks: readonly Block[]): string[] {
    return blocks.filter(({ kind }) => kind === 'person').map((block) => this.#block(block))
  }

  rest(blocks: readonly Block[]): string[] {
    return blocks.filter(({ kind }) => kind !== 'person').map((block) => this.#block(block))
  }

  heading(title: string): string {
    const size = title.length <= shortHeadingMax ? 24 : 19
    const style = ['margin:0', ...wordsStyle(size, this.#colors.ink, 1.3), 'font-weight:700']
    const heading = element('h1', { class: 'ink', dir: 'auto', style }, escapeHtml(title))
    return row({ style: ['padding:0 0 14px'] }, heading)
  }

  #block(block: Block): string {
    switch (block.kind) {
      case 'text':
        return this.#words('ink', 16, escapeHtml(block.text))
      case 'note':
        return this.#words('faint', 14, escapeHtml(block.text))
      case 'facts':
        return this.#facts(block.items)
      case 'list':
        return this.#words('ink', 16, block.items.map(escapeHtml).join('<br>\n'))
      case 'quote':
        return this.#quote(block.text)
      case 'person':
        return this.#person(block)
      case 'files':
        return this.#files(block)
      case 'button':
        return this.#button(block)
    }
  }

  #words(color: 'ink' | 'faint', size: number, html: string): string {
    const style = ['padding:0 0 14px', ...wordsStyle(size, this.#colors[color])]
    return row({ class: color, style }, html)
  }

  /** Facts break between each other, and inside only where one is longer than the card. */
  #facts(items: readonly string[]): string {
    const spans = items
      .map((item, index) => escapeHtml(item) + (index < items.length - 1 ? ' ·' : ''))
      .map((html) => element('span', { style: ['display:inline-block'] }, html))
    return this.#words('faint', 15, spans.join(' '))
  }

  #quote(words: string): string {
    const { ink, soft, accent } = this.#colors
    const html = escapeHtml(shorten(words, quoteCharactersMax)).replaceAll('\n', '<br>\n')
    const border = [`border-left:3px solid ${accent}`, 'border-radius:4px']
    const style = ['padding:12px 16px', `background:${soft}`, ...border, ...wordsStyle(16, ink)]
    const cell = row({ class: 'soft ink', dir: 'auto', bgcolor: soft, style }, html)
    return row({ style: ['padding:0 0 14px'] }, table({ width: '100%' }, [cell]))
  }

  /** The picture has a table of its own, because cells grow with their row. */
  #person({ initials, lead, address }: Extract<Block, { kind: 'person' }>): string {
    const { ink, faint, fill, onFill } = this.#colors
    const size = { width: 44, height: 44, align: 'center', bgcolor: fill }
    const round = ['width:44px', 'height:44px', `background:${fill}`, 'border-radius:22px']
    const letters = [...wordsStyle(17, onFill), 'line-height:44px', 'font-weight:600']
    const style = [...round, ...letters]
    const picture = row({ class: 'filled', ...size, style }, escapeHtml(initials))
    const small = ['font-size:14px', `color:${faint}`]
    const under = element('span', { class: 'faint', style: small }, escapeHtml(address))
    const cells = [
      element('td', { width: 56, valign: 'top' }, table({ width: 44 }, [picture])),
      element(
        'td',
        { class: 'ink', valign: 'middle', style: wordsStyle(16, ink) },
        escapeHtml(lead) + (address === '' ? '' : `<br>\n${under}`),
      ),
    ]
    const person = table({ width: '100%' }, [element('tr', {}, cells.join('\n'))])
    return row({ style: ['padding:0 0 14px'] }, person)
  }

  #files({ files, more }: Extract<Block, { kind: 'files' }>): string {
    const { ink, faint, line } = this.#colors
    const border = [`border-top:1px solid ${line}`]
    const nameStyle = ['padding:8px 0', ...border, ...wordsStyle(15, ink)]
    const sizeStyle = ['padding:8px 0 8px 8px', ...border, ...wordsStyle(15, faint)]
    const place = { class: 'line faint', width: 80, align: 'right', valign: 'top' }
    const shown = files.slice(0, filesMax)
    const rows = shown.map(({ name, size }) => {
      const html = element('bdi', {}, escapeHtml(name))
      const style = [...sizeStyle, 'white-space:nowrap']
      return element(
        'tr',
        {},
        element('td', { class: 'line ink', style: nameStyle }, html) +
          element('td', { ...place, style }, escapeHtml(size)),
      )
    })
    const rest = more(shown.length)
    if (rest !== null) {
      const style = ['padding:8px 0', ...border, ...wordsStyle(15, faint)]
      rows.push(row({ class: 'line faint', colspan: 2, style }, escapeHtml(rest)))
    }
    return row({ style: ['padding:0 0 14px'] }, table({ width: '100%' }, rows))
  }

  /** A coloured cell, so that it is a button even where links have no padding. */
  #button({ text, url, orLink }: Extract<Block, { kind: 'button' }>): string {
    const { accent, fill, onFill } = this.#colors
    const shape = ['display:block', 'padding:14px 16px', 'text-decoration:none']
    const letters = [...wordsStyle(17, onFill, 1.3), 'font-weight:600']
    const link = element('a', { href: url, style: [...shape, ...letters] }, escapeHtml(text))
    // Only Outlook, which ignores the padding of links, knows this one.
    const style = [`background:${fill}`, 'border-radius:8px', 'mso-padding-alt:14px 16px']
    const cell = row({ class: 'filled', align: 'center', bgcolor: fill, style }, link)
    const plainStyle = [`color:${accent}`, 'word-break:break-all']
    const plain = element('a', { class: 'accent', href: url, style: plainStyle }, escapeHtml(url))
    return [
      row({ style: ['padding:10px 0 14px'] }, table({ width: '100%' }, [cell])),
      this.#words('faint', 13, `${escapeHtml(orLink)}<br>\n${plain}`),
    ].join('\n')
  }
}
