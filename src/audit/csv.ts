type Cell = string | number | null | object

/** First characters of formulas, including fullwidth ones. */
const formulaStart = /[=+\-@\uff1d\uff0b\uff0d\uff20]/

/** Rows as CSV (RFC 4180) in UTF-8, with CRLF line ends. No cell is a formula. */
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
 * People choose the names in these rows, and spreadsheets run text that begins like a formula, even
 * after spaces and quotes. Some split cells at semicolons, tabs and line ends, so each part counts
 * as a cell. An apostrophe before the formula makes it text. src/web/lib/csv.ts does the same.
 */
function withoutFormulas(text: string): string {
  const harmless = text.replaceAll(/^[\s;,|"']*|[\s;,|"']+/g, (run, offset: number) => {
    const begins = offset === 0 || /[;\t\r\n]/.test(run)
    return begins && formulaStart.test(text.charAt(offset + run.length)) ? `${run}'` : run
  })
  return /^[\t\r]/.test(text) ? `'${harmless}` : harmless
}
