import { setImmediate } from 'node:timers/promises'
import { CodedError } from '../../lib/errors.ts'

/**
 * Looks for a blocked extension. Every part after a dot counts, so that neither `invoice.exe.pdf`
 * nor `evil.exe.` slips through, in any case.
 * @param blocked extensions in lower case without their dot
 * @returns blocked_extension for the name; null when it has none
 */
export function findBlockedExtension(
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
