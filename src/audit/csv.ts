type Cell = string | number | null | object

/**
 * Rows as CSV (RFC 4180) in UTF-8, lines ended by CRLF. Spreadsheets take a cell for a formula
 * that begins with one of `= + - @`, tab or CR, and people choose the names in these rows: such a
 * cell begins with an apostrophe instead, which spreadsheets show as text.
 */
export function csvLines(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('')
}

function csvCell(value: Cell): string {
  if (value === null) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
