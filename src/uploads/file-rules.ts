import { CodedError } from '../lib/errors.ts'
import { refuseBlockedExtensions } from './extensions.ts'

/** What an uploader must keep to. Sizes in bytes, 0 for no limit. */
export interface FileRules {
  /** In lower case, without their dot. */
  readonly blockedExtensions: readonly string[]
  readonly maxFileSize: number
  /** Of all files of one upload together. */
  readonly maxShareSize: number
}

/**
 * Kinds and sizes of the files that are to complete an upload.
 * @throws CodedError blocked_extension, file_too_large, share_too_large
 */
export function checkFiles(
  files: readonly { readonly originalName: string; readonly size: number }[],
  rules: FileRules,
): void {
  const { blockedExtensions, maxFileSize, maxShareSize } = rules
  refuseBlockedExtensions(
    files.map((file) => file.originalName),
    blockedExtensions,
  )
  const largest = files.find((file) => maxFileSize > 0 && file.size > maxFileSize)
  if (largest) {
    throw new CodedError('file_too_large', {
      message: `${largest.originalName} has ${largest.size} bytes; ${maxFileSize} are allowed.`,
      details: { limit: maxFileSize, size: largest.size },
    })
  }
  refuseLargeShare(
    files.reduce((sum, file) => sum + file.size, 0),
    maxShareSize,
  )
}

/** @throws CodedError share_too_large with the numbers */
export function refuseLargeShare(bytes: number, limit: number): void {
  if (limit === 0 || bytes <= limit) return
  throw new CodedError('share_too_large', {
    message: `A share may have at most ${limit} bytes; this one would have ${bytes}.`,
    details: { limit, size: bytes },
  })
}
