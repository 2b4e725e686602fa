export interface Column<Row> {
  readonly title: string
  readonly text: (row: Row) => string
  /** May be cut to fit; ids never are. */
  readonly isFlexible?: boolean
}

const gap = '  '
const flexibleWidthMin = 8
/** Most of what East Asian Width calls wide, and pictures (Unicode annex 11). */
const wide = new RegExp(
  '[\\u1100-\\u115f\\u2e80-\\ua4cf\\uac00-\\ud7a3\\uf900-\\ufaff\\ufe30-\\ufe6f' +
    '\\uff01-\\uff60\\uffe0-\\uffe6\\p{Emoji_Presentation}]',
  'u',
)
const dangerous = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/**
 * Rows in aligned columns, titles first, cut at `widthMax` as far as its columns allow.
 * @param widthMax columns of the terminal; Infinity to cut nothing
 */
export function formatTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  widthMax: number,
): string {
  const cells = rows.map((row) => columns.map((column) => printable(column.text(row))))
  const all = [columns.map((column) => column.title), ...cells]
  const widths = columns.map((_, index) => {
    return all.reduce((widest, line) => Math.max(widest, widthOf(line[index]!)), 0)
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

/** A terminal shows as much as it has room for; a file or a pipe gets everything. */
export function outputWidth(): number {
  return process.stdout.isTTY ? process.stdout.columns || 80 : Infinity
}

/** Takes from the widest flexible column until all fit, or none can give any more. */
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
  const own = widthOf(text)
  if (own <= width) return text + ' '.repeat(width - own)
  let cut = ''
  let used = 0
  for (const character of text) {
    used += widthOf(character)
    if (used > width - 1) break
    cut += character
  }
  return `${cut}…${' '.repeat(width - 1 - widthOf(cut))}`
}

/** Columns that a text takes: none for a mark on the letter before it, two for wide ones. */
function widthOf(text: string): number {
  let width = 0
  for (const character of text) {
    if (/^\p{M}|\u200d$/u.test(character)) continue
    width += wide.test(character) ? 2 : 1
  }
  return width
}

/**
 * A text that cannot drive a terminal: control characters, those that change the direction of
 * writing, line separators and lone surrogates are shown as `\u{…}`.
 */
export function printable(text: string): string {
  return text.replace(dangerous, (character) => {
    if (character === '\n') return '\\n'
    return `\\u{${character.codePointAt(0)!.toString(16)}}`
  })
}

/** JSON on one line, with the same characters escaped as JSON does it. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replace(dangerous, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/** The same for a text of several lines of ours. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n')
}

/** The day of a moment in UTC, for lists. */
export function day(moment: Date | null): string {
  return moment === null ? '-' : moment.toISOString().slice(0, 10)
}
