import { escapeHtml } from '../http/html.ts'

/** Values are texts, numbers, or the declarations of a style. */
type Attributes = Readonly<Record<string, string | number | readonly string[]>>

const voidElements = new Set(['img'])

/** @param html trusted or escaped */
export function element(name: string, attributes: Attributes, html = ''): string {
  const pairs = Object.entries(attributes).map(([key, value]) => {
    const text = typeof value === 'object' ? value.join(';') : String(value)
    return ` ${key}="${escapeHtml(text)}"`
  })
  const start = `<${name}${pairs.join('')}>`
  return voidElements.has(name) ? start : `${start}${html}</${name}>`
}

/** A table for layout, which screen readers do not announce. It is never wider than it may be. */
export function table(attributes: Attributes, rows: readonly string[]): string {
  const { style = [], ...more } = attributes
  const frame = { role: 'presentation', border: 0, cellpadding: 0, cellspacing: 0, ...more }
  const fixed = [...(style as readonly string[]), 'table-layout:fixed']
  return element('table', { ...frame, style: fixed }, `\n${rows.join('\n')}\n`)
}

/** A row with one cell. */
export function row(attributes: Attributes, html: string): string {
  return element('tr', {}, element('td', attributes, html))
}

/** Long words must not widen the card. */
const breakable = ['word-wrap:break-word', 'overflow-wrap:anywhere', 'word-break:break-word']

/** @param size in pixels */
export function wordsStyle(size: number, color: string, lineHeight = 1.5): string[] {
  return [
    'font-family:-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif',
    `font-size:${size}px`,
    `line-height:${Math.round(size * lineHeight)}px`,
    `color:${color}`,
    ...breakable,
  ]
}
