export interface Column<Row> {
  readonly title: string
  readonly text: (row: Row) => string
}

const gap = '  '
const dangerous = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

export function formatTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const cells = rows.map((row) => columns.map((column) => printable(column.text(row))))
  const all = [columns.map((column) => column.title), ...cells]
  const widths = columns.map((_, index) => {
    return all.reduce((widest, line) => Math.max(widest, lengthOf(line[index]!)), 0)
  })
  const lines = all.map((line) =>
    line
      .map((cell, index) => cell + ' '.repeat(widths[index]! - lengthOf(cell)))
      .join(gap)
      .trimEnd(),
  )
  return lines.join('\n')
}

const lengthOf = (text: string) => Array.from(text).length

/**
 * A text that cannot control a terminal: control characters, marks that change the direction of
 * text, line separators and lone surrogates are shown as `\u{…}`.
 */
export function printable(text: string): string {
  return text.replace(dangerous, (character) => {
    if (character === '\n') return '\\n'
    return `\\u{${character.codePointAt(0)!.toString(16)}}`
  })
}

/** JSON on one line, with the same characters in JSON escapes. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replace(dangerous, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/** The same for a text with our own line ends. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n')
}

/** The day of a moment in UTC, for lists. */
export function day(moment: Date | null): string {
  return moment === null ? '-' : moment.toISOString().slice(0, 10)
}
