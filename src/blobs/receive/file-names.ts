import { withoutDirectionMarks } from '../../lib/direction-marks.ts'
import { truncateToBytes, splitExtension } from '../zip/segments.ts'

const partBytesMax = 255
/** UTF-16 units of a whole path. */
const pathLengthMax = 4096

/** A name as it is kept: a relative path with `/`, in NFC. */
export interface FittedName {
  readonly name: string
  /** Whether more of it changed than its Unicode form. */
  readonly isRenamed: boolean
}

/**
 * Makes a file name of any text: `\` separates folders like `/`, control characters and a leading
 * drive or slash go, parts are cut to 255 bytes without their extension, and folders that make the
 * path longer than 4,096 characters are left out.
 * @returns what is wrong with it, when nothing is left or `..` leads outside
 */
export function fitName(given: string): FittedName | string {
  const text = given
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '')
    .normalize('NFC')
  const parts: string[] = []
  for (const part of text
    .replaceAll('\\', '/')
    .replace(/^\/*[A-Za-z]:(?=\/|$)/, '')
    .split('/')) {
    // Of some nothing would be seen, and downloads would have no name.
    if (part === '.' || withoutDirectionMarks(part) === '') continue
    if (part !== '..') parts.push(fitPart(part))
    else if (parts.pop() === undefined) return 'must not contain ..'
  }
  if (parts.length === 0) return 'must contain a usable file name'
  const name = joinWithin(parts).replace(/^([A-Za-z]):/, '$1_')
  return { name, isRenamed: name !== given.normalize('NFC') }
}

function fitPart(part: string): string {
  if (Buffer.byteLength(part) <= partBytesMax) return part
  // So that the cut leaves something that is seen.
  const { stem, extension } = splitExtension(withoutDirectionMarks(part).normalize('NFC'))
  const cut = truncateToBytes(stem, partBytesMax - Buffer.byteLength(extension)) + extension
  return cut === '.' || cut === '..' ? '_' : cut
}

/** The last part, and as many folders from the outermost on as there is room for. */
function joinWithin(parts: readonly string[]): string {
  const last = parts.at(-1) as string
  let folders = ''
  for (const part of parts.slice(0, -1)) {
    if (folders.length + part.length + 1 + last.length > pathLengthMax) break
    folders += `${part}/`
  }
  return folders + last
}
