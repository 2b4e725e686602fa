import { setImmediate } from 'node:timers/promises'
import { CodedError } from '../../lib/errors.ts'

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
