export interface Column<Row> {
  readonly title: string
  readonly text: (row: Row) => string
  /** May be shortened; ids never are. */
  readonly isFlexible?: boolean
}

const gap = '  '
const flexibleWidthMin = 8
const dangerous = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/**
 * Rows in aligned columns below their titles, shortened to `widthMax` as far as possible.
 * @param widthMax columns of the terminal; Infinity for no limit
 */
export function formatTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  widthMax: number,
): string {
  const cells = rows.map((row) => columns.map((column) => printable(column.text(row))))
  const all = [columns.map((column) => column.title), ...cells]
  const widths = columns.map((_, index) => {
    return all.reduce((widest, line) => Math.max(widest, Array.from(line[index]!).length), 0)
  })
  narrow(widths, columns, widthMax)
  const lines = all.map((line) =>
    line
      .map((cell, index) => fit(cell, widths[index]!))
      .join(gap)
      .trimEnd(),
  )
  return lines.join('\n')
}

/** The width of a terminal; unlimited for a file or a pipe. */
export function outputWidth(): number {
  return process.stdout.isTTY ? process.stdout.columns || 80 : Infinity
}

/** Shrinks the widest flexible column until all fit, or none can shrink further. */
function narrow<Row>(widths: number[], columns: readonly Column<Row>[], widthMax: number): void {
  const total = () => widths.reduce((sum, width) => sum + width, gap.length * (widths.length - 1))
  while (total() > widthMax) {
    const flexible = widths.map((width, index) => (columns[index]!.isFlexible ? width : 0))
    const widest = Math.max(...flexible)
    if (widest <= flexibleWidthMin) return
    widths[flexible.indexOf(widest)]! -= 1
  }
}

function fit(text: string, width: number): string {
  const characters = Array.from(text)
  if (characters.length <= width) return text + ' '.repeat(width - characters.length)
  return `${characters.slice(0, width - 1).join('')}…`
}

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
