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

/** Collects the files of an upload one by one, and checks them at the end. */
export class FileCheck {
  readonly #rules: FileRules
  readonly #blockedExtensions: ReadonlySet<string>
  #blocked: CodedError | null = null
  #tooLarge: CodedError | null = null
  #totalBytes = 0

  constructor(rules: FileRules) {
    this.#rules = rules
    this.#blockedExtensions = new Set(rules.blockedExtensions)
  }

  get totalBytes(): number {
    return this.#totalBytes
  }

  take(file: RuledFile): void {
    const { maxFileSize } = this.#rules
    this.#totalBytes += file.size
    if (this.#blockedExtensions.size > 0) {
      this.#blocked ??= findBlockedExtension(file.originalName, this.#blockedExtensions)
    }
    if (maxFileSize === 0 || file.size <= maxFileSize || this.#tooLarge) return
    this.#tooLarge = new CodedError('file_too_large', {
      message: `${file.originalName} has ${file.size} bytes. At most ${maxFileSize} are allowed.`,
      details: { limit: maxFileSize, size: file.size },
    })
  }

  /** @throws CodedError blocked_extension, file_too_large, share_too_large */
  finish(): void {
    if (this.#blocked) throw this.#blocked
    if (this.#tooLarge) throw this.#tooLarge
    refuseLargeShare(this.#totalBytes, this.#rules.maxShareSize)
  }
}

/**
 * Checks types and sizes of the files that complete an upload.
 * @throws CodedError blocked_extension, file_too_large, share_too_large
 */
export function checkFiles(files: readonly RuledFile[], rules: FileRules): void {
  const check = new FileCheck(rules)
  for (const file of files) check.take(file)
  check.finish()
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
 * Looks for a blocked extension. Every part after a dot counts, so that neither `invoice.exe.pdf`
 * nor `evil.exe.` slips through, in any case.
 * @param blocked extensions in lower case without their dot
 * @returns blocked_extension for the name; null when it has none
 */
function findBlockedExtension(
  name: string,
  blocked: ReadonlySet<string>,
): CodedError | null {
  const parts = name
    .slice(name.lastIndexOf('/') + 1)
    .split('.')
    .slice(1)
  const found = parts.find((part) => blocked.has(part.trim().toLowerCase()))
  if (found === undefined) return null
  return new CodedError('blocked_extension', {
    message: `Files with the extension .${found.trim().toLowerCase()} are not allowed.`,
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
