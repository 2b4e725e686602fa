/** First characters of formulas, including fullwidth ones. */
const formulaStart = /[=+\-@\uff1d\uff0b\uff0d\uff20]/

/**
 * A CSV cell that spreadsheets do not take for a formula: clients choose their User-Agent. See
 * src/audit/csv.ts.
 */
export function csvCell(cell: string): string {
  const safe = cell.replaceAll(/^[\s;,|"']*|[\s;,|"']+/g, (run, offset: number) => {
    const begins = !offset || /[;\t\r\n]/.test(run)
    return begins && formulaStart.test(cell.charAt(offset + run.length)) ? `${run}'` : run
  })
  return `"${(/^[\t\r]/.test(cell) ? `'${safe}` : safe).replaceAll('"', '""')}"`
}
