type Cell = string | number | null | object

/** With what a formula begins, in fullwidth too. */
const formulaStart = /[=+\-@\uff1d\uff0b\uff0d\uff20]/

/** Rows as CSV (RFC 4180) in UTF-8, lines ended by CRLF. No cell is a formula. */
export function csvLines(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('')
}

function csvCell(value: Cell): string {
  if (value === null) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const harmless = withoutFormulas(text)
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/**
 * People choose the names in these rows, and spreadsheets run what begins like a formula, also
 * behind spaces and quotes. Some split cells at semicolons, tabs and line ends, so a part behind
 * these counts as a cell. An apostrophe before the formula makes it text. src/web/lib/csv.ts does
 * the same.
 */
function withoutFormulas(text: string): string {
  const harmless = text.replaceAll(/^[\s;,|"']*|[\s;,|"']+/g, (run, offset: number) => {
    const begins = offset === 0 || /[;\t\r\n]/.test(run)
    return begins && formulaStart.test(text.charAt(offset + run.length)) ? `${run}'` : run
  })
  return /^[\t\r]/.test(text) ? `'${harmless}` : harmless
}
