import { setImmediate } from 'node:timers/promises'
import * as v from 'valibot'
import { noted, text } from '../../http/schema.ts'
import { CodedError } from '../../lib/errors.ts'
import { withoutDirectionMarks } from '../../lib/names.ts'
import { truncateToBytes, splitExtension } from '../archive/segments.ts'
import { dateOf } from '../archive/tar/header.ts'

/** Rules for uploaded files. Sizes in bytes, 0 for no limit. */
export interface FileRules {
  /** In lower case, without their dot. */
  readonly blockedExtensions: readonly string[]
  readonly maxFileSize: number
  /** Bytes of all files of an upload. */
  readonly maxShareSize: number
}

export interface RuledFile {
  readonly originalName: string
  readonly size: number
}

/** The rules for guests: those of the settings, with the extensions blocked for guests. */
export function guestRules(
  settings: FileRules & { readonly blockedExtensionsGuests: readonly string[] },
): FileRules {
  return { ...settings, blockedExtensions: settings.blockedExtensionsGuests }
}

/** @throws CodedError blocked_extension, file_too_large */
export function checkFile(
  { originalName, size }: RuledFile,
  { blockedExtensions, maxFileSize }: FileRules,
): void {
  refuseBlockedExtension(originalName, blockedExtensions)
  if (maxFileSize === 0 || size <= maxFileSize) return
  throw new CodedError('file_too_large', {
    message: `${originalName} has ${size} bytes. At most ${maxFileSize} are allowed.`,
    details: { limit: maxFileSize, size },
  })
}

/**
 * Checks types and sizes of the files that complete an upload.
 * @throws CodedError blocked_extension, file_too_large, share_too_large
 */
export function checkFiles(files: readonly RuledFile[], rules: FileRules): void {
  for (const file of files) checkFile(file, rules)
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  refuseLargeShare(bytes, rules.maxShareSize)
}

/** @throws CodedError share_too_large with both sizes */
export function refuseLargeShare(bytes: number, limit: number): void {
  if (limit === 0 || bytes <= limit) return
  throw new CodedError('share_too_large', {
    message: `The share would have ${bytes} bytes. At most ${limit} are allowed.`,
    details: { limit, size: bytes },
  })
}

/**
 * Refuses a blocked extension. Every part after a dot counts, so that neither `invoice.exe.pdf` nor
 * `evil.exe.` slips through, in any case.
 */
function refuseBlockedExtension(name: string, blocked: readonly string[]): void {
  if (blocked.length === 0) return
  const parts = name
    .slice(name.lastIndexOf('/') + 1)
    .split('.')
    .slice(1)
  const found = parts
    .map((part) => part.trim().toLowerCase())
    .find((part) => blocked.includes(part))
  if (found === undefined) return
  throw new CodedError('blocked_extension', {
    message: `Files with the extension .${found} are not allowed.`,
    details: { name },
  })
}

/**
 * Refuses a name whose last extension is not among the allowed ones, in any case, or that has none.
 * @param allowed extensions in lower case without their dot; empty for all
 * @throws CodedError extension_not_allowed
 */
export function requireExtension(name: string, allowed: readonly string[]): void {
  const extension = /\.([^./]+)$/.exec(name)?.[1] ?? ''
  if (allowed.length === 0 || allowed.includes(extension.toLowerCase())) return
  throw new CodedError('extension_not_allowed', {
    message: `Only files with these extensions are allowed: ${allowed.join(', ')}.`,
    details: { name, allowed },
  })
}

/**
 * The same for all of a list.
 * @throws CodedError extension_not_allowed naming the first such file
 */
export async function requireExtensions(
  list: { pages(): Iterable<readonly { readonly originalName: string }[]> },
  allowed: readonly string[],
): Promise<void> {
  if (allowed.length === 0) return
  for (const page of list.pages()) {
    for (const { originalName } of page) requireExtension(originalName, allowed)
    await setImmediate()
  }
}

const partBytesMax = 255
/** UTF-16 units of a whole path. */
const pathLengthMax = 4096

/** Blanks, format characters, and letters that are drawn as a blank. */
const invisible = /^[\p{Z}\s\p{Cf}\u115f\u1160\u2800\u3164\uffa0]*$/u
const leadingInvisible = new RegExp(invisible.source.replace('$', ''), 'u')

/** A stored name: a relative path with `/`, in NFC. */
export interface FittedName {
  readonly name: string
  /** Whether more than its Unicode form changed. */
  readonly isRenamed: boolean
}

/**
 * Makes any text a file name: `\` separates folders like `/`; control characters, a leading drive,
 * a leading slash and parts of blanks alone are removed; parts are truncated to 255 bytes, keeping
 * their extension; folders that make the path longer than 4,096 characters are left out.
 * @returns a message when nothing is left, or when `..` leads outside
 */
export function fitName(given: string): FittedName | string {
  const clean = given.toWellFormed().replaceAll(/\p{Cc}/gu, '')
  const text = normalize(clean, 'NFC')
  const parts: string[] = []
  for (const part of text
    .replaceAll('\\', '/')
    .replace(/^\/*[A-Za-z]:(?=\/|$)/, '')
    .split('/')) {
    // Invisible names would leave downloads without a name.
    if (part === '.' || invisible.test(part)) continue
    if (part !== '..') parts.push(fitPart(part))
    else if (parts.pop() === undefined) return 'must not contain ..'
  }
  if (parts.length === 0) return 'must contain a usable file name'
  const name = joinWithin(parts).replace(/^([A-Za-z]):/, '$1_')
  return { name, isRenamed: clean !== given || name !== text }
}

function fitPart(part: string): string {
  if (Buffer.byteLength(part) <= partBytesMax) return part
  // Truncation must leave something visible.
  const visible = withoutDirectionMarks(part)
  const shown = visible === part ? part : normalize(visible, 'NFC')
  const { stem, extension } = splitExtension(shown.replace(leadingInvisible, ''))
  const cut = truncateToBytes(stem, partBytesMax - Buffer.byteLength(extension)) + extension
  return cut === '.' || cut === '..' ? '_' : cut
}

/** The last part, with as many of the outermost folders as fit. */
function joinWithin(parts: readonly string[]): string {
  const last = parts.at(-1) as string
  let folders = ''
  for (const part of parts.slice(0, -1)) {
    if (folders.length + part.length + 1 + last.length > pathLengthMax) break
    folders += `${part}/`
  }
  return folders + last
}

/** Shorter texts are normalized as a whole. */
const wholeLengthMax = 512
/** Text up to its next marks, with at most 32 of them (UAX #15 section 13 allows 30). */
const piece = /\P{M}*\p{M}{0,32}/gu

/**
 * `String.prototype.normalize` for text from clients. ICU sorts the marks of one character in
 * quadratic time: 64,000 of them take a second. So in long texts, marks behind the first 32 keep
 * their order.
 */
export function normalize(text: string, form: 'NFC' | 'NFD' | 'NFKC'): string {
  if (text.length <= wholeLengthMax) return text.normalize(form)
  return text.replaceAll(piece, (found) => found.normalize(form))
}

/** A label that people may read: no control characters. Lengths in UTF-16 units. */
export const fileIdSchema = noted(
  v.pipe(
    text(1, 200),
    v.check((value) => !/\p{Cc}/u.test(value), 'must not contain control characters'),
  ),
  'Client-chosen file id, the same for all its chunks and in finalize',
  'file-1',
)
/** The name of a file, made valid. The size of the body bounds its length. */
export const fittedName = v.pipe(
  v.string(),
  v.minLength(1, 'must not be empty'),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const fitted = fitName(dataset.value)
    if (typeof fitted !== 'string') return fitted
    addIssue({ message: fitted })
    return NEVER
  }),
)

/** A date of the years 1 to 9999, which every database and archive can hold. */
export const modificationTime = v.pipe(
  v.string(),
  v.metadata({ json: { type: 'string', format: 'date-time' } }),
  v.check((given) => dateOf(Date.parse(given)) !== null, 'must be a date and time as in ISO 8601'),
  v.transform((given) => new Date(given).toISOString()),
)
