// The text format of COPY: https://www.postgresql.org/docs/18/sql-copy.html, "Text Format".

const newline = 0x0a
/** Far above a row of ours; the longest have the name of a file. */
const rowBytesMax = 1024 * 1024

const escapes: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

/** The rows in each piece of a COPY stream; null for a null value. @throws RangeError */
export async function* readRows(
  source: AsyncIterable<Buffer>,
): AsyncGenerator<(string | null)[][], void, void> {
  let rest: Buffer | null = null
  for await (const data of source) {
    const whole: Buffer = rest === null ? data : Buffer.concat([rest, data])
    const end = whole.lastIndexOf(newline) + 1
    rest = end === whole.length ? null : whole.subarray(end)
    if (rest !== null && rest.length > rowBytesMax) throw new RangeError('a row is too long')
    if (end > 0)
      yield whole
        .toString('utf8', 0, end - 1)
        .split('\n')
        .map(parseRow)
  }
  if (rest !== null) throw new RangeError('the last row is cut')
}

/** The number of rows in a piece of a COPY stream. */
export function countRows(data: Buffer): number {
  let count = 0
  for (let at = data.indexOf(newline); at !== -1; at = data.indexOf(newline, at + 1)) count += 1
  return count
}

function parseRow(line: string): (string | null)[] {
  return line.split('\t').map((field) => {
    if (field === '\\N') return null
    if (!field.includes('\\')) return field
    return field.replace(/\\(.)/gs, (_, character: string) => escapes[character] ?? character)
  })
}
