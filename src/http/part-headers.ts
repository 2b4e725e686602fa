import { typeParameter } from './media-type.ts'

/** What the headers of a part of multipart/form-data say (RFC 7578 section 4). */
export interface PartHeaders {
  /** Null for a part without one, which is to be ignored. */
  readonly name: string | null
  readonly hasFileName: boolean
  /** Label of the encoding of a text; null for UTF-8. */
  readonly charset: string | null
}

const headerPairsMax = 32
/** RFC 9110 section 5.1: no blank before the colon. Values hold no control characters. */
const headerLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\t\x20-\x7e\x80-\xff]*)$/
/** File names may hold anything: the service does not use them. */
const dispositionLine = /^content-disposition:([^]*)$/i
/** The start of a file name's parameter, and a name behind it. */
const fileNameStart = /^[ \t]*;[ \t]*filename\*?[ \t]*=/i
const nameBehind = /;[ \t]*name=(?:"([^"]*)"|([!#$%&'*+.^_`|~0-9A-Za-z-]+))[ \t]*$/i
/** RFC 6266 section 4.1, with a value that is a token or a quoted string. */
const parameter = /[ \t]*;[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s";]+))/y

/**
 * @param block the header lines, with CRLF between them and none at the end
 * @returns null when they are malformed
 */
export function parsePartHeaders(block: Buffer): PartHeaders | null {
  let disposition: string | null = null
  let type: string | null = null
  let pairs = 0
  // A line that begins with a blank continues the one before (RFC 5322 section 2.2.3).
  const unfolded = block.toString('latin1').replaceAll(/\r\n(?=[ \t])/g, '')
  for (const line of unfolded === '' ? [] : unfolded.split('\r\n')) {
    pairs += 1
    const [, given] = dispositionLine.exec(line) ?? []
    if (given !== undefined && pairs <= headerPairsMax) {
      disposition ??= given.trim()
      continue
    }
    const [, name, value] = headerLine.exec(line) ?? []
    if (name === undefined || value === undefined || pairs > headerPairsMax) return null
    const lower = name.toLowerCase()
    if (lower === 'content-type') type ??= value.trim()
  }
  const found = disposition === null ? unnamed : parseDisposition(disposition)
  return found && { ...found, charset: type === null ? null : typeParameter(type, 'charset') }
}

const unnamed = { name: null, hasFileName: false }

function parseDisposition(value: string): Pick<PartHeaders, 'name' | 'hasFileName'> | null {
  const type = /^[^\s;]*/.exec(value)![0]
  const parameters = new Map<string, string>()
  parameter.lastIndex = type.length
  let end = type.length
  for (let found = parameter.exec(value); found; found = parameter.exec(value)) {
    const [, name = '', quoted, token = ''] = found
    const key = name.toLowerCase()
    if (parameters.has(key) && !key.startsWith('filename')) return null
    parameters.set(key, quoted?.replaceAll(/\\(["\\])/g, '$1') ?? token)
    end = parameter.lastIndex
  }
  const rest = value.slice(end)
  const isFileNameBroken = parameters.has('filename') || fileNameStart.test(rest)
  if (type === '' || (rest.trim() !== '' && !isFileNameBroken)) return null
  if (type.toLowerCase() !== 'form-data') return unnamed
  if (rest.trim() !== '') {
    const [, quoted, token] = nameBehind.exec(rest) ?? []
    const behind = quoted ?? token
    if (behind !== undefined && parameters.has('name')) return null
    return { name: parameters.get('name') ?? behind ?? null, hasFileName: true }
  }
  const hasFileName = parameters.has('filename') || parameters.has('filename*')
  return { name: parameters.get('name') ?? null, hasFileName }
}
