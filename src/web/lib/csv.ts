/** With what a formula begins, in fullwidth too. */
const formulaStart = /[=+\-@\uff1d\uff0b\uff0d\uff20]/

/**
 * A cell of CSV that no spreadsheet takes for a formula: visitors choose what their client says.
 * See src/audit/csv.ts.
 */
export function csvCell(cell: string): string {
  const safe = cell.replaceAll(/^[\s;,|"']*|[\s;,|"']+/g, (run, offset: number) => {
    const begins = !offset || /[;\t\r\n]/.test(run)
    return begins && formulaStart.test(cell.charAt(offset + run.length)) ? `${run}'` : run
  })
  return `"${(/^[\t\r]/.test(cell) ? `'${safe}` : safe).replaceAll('"', '""')}"`
}
