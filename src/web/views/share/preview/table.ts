import { h } from 'preact'

/** More of either would take seconds on a phone: the source has them all. */
const rowsMax = 500
const cellsMax = 50

/** The first rows of a text with commas, semicolons or tabs between cells. */
export function readTable(text: string): string[][] {
  // The first one outside of quotes.
  const [, sign = ','] = /^(?:"[^"]*"|[^",;\t])*([,;\t])/.exec(text) ?? []
  // Longer cells in quotes are taken as they are: a lost quote must not cost a search each time.
  const cell = new RegExp(
    `(?:"((?:[^"]|""){0,5000})"(?=[${sign}\r\n]|$)|([^${sign}\r\n]*))(${sign}|\r?\n|\r|$)`,
    'y',
  )
  const rows: string[][] = []
  let row: string[] | null = null
  while (cell.lastIndex < text.length && rows.length < rowsMax) {
    const [, quoted, plain = '', end] = cell.exec(text)!
    if (!row) rows.push((row = []))
    if (row.length < cellsMax) row.push(quoted?.replaceAll('""', '"') ?? plain)
    else row[cellsMax] = '…'
    if (end !== sign) row = null
  }
  if (cell.lastIndex < text.length) rows.push(['…'])
  return rows
}

/** The same as a table, of which the first row is the head. */
export function renderTable(text: string) {
  const rows = readTable(text).map((cells, place) => {
    const drawn = cells.map((cell) => h(place ? 'td' : 'th', null, cell))
    return h('tr', null, drawn)
  })
  return h('table', null, rows)
}
