import { CodedError } from '../../lib/errors.ts'
import { findBlockedExtension } from './extensions.ts'

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
