import { CodedError } from '../lib/errors.ts'

/**
 * Refuses names with a blocked extension. Every part after a dot counts, so that neither
 * `invoice.exe.pdf` nor `evil.exe.` slips through, in any case.
 * @param blocked extensions in lower case without their dot
 * @throws CodedError blocked_extension naming the first such file
 */
export function refuseBlockedExtensions(
  names: readonly string[],
  blocked: readonly string[],
): void {
  if (blocked.length === 0) return
  const refused = new Set(blocked)
  for (const name of names) {
    const parts = name
      .slice(name.lastIndexOf('/') + 1)
      .split('.')
      .slice(1)
    const found = parts.find((part) => refused.has(part.trim().toLowerCase()))
    if (found === undefined) continue
    throw new CodedError('blocked_extension', {
      message: `Files with the extension .${found.trim().toLowerCase()} are not accepted here.`,
      details: { name },
    })
  }
}

/**
 * Refuses names whose last extension is not among the allowed ones, in any case; a name without one
 * too.
 * @param allowed extensions in lower case without their dot; empty for all
 * @throws CodedError extension_not_allowed naming the first such file
 */
export function requireExtensions(names: readonly string[], allowed: readonly string[]): void {
  if (allowed.length === 0) return
  const accepted = new Set(allowed)
  const refused = names.find((name) => {
    const extension = /\.([^./]+)$/.exec(name)?.[1] ?? ''
    return !accepted.has(extension.toLowerCase())
  })
  if (refused === undefined) return
  throw new CodedError('extension_not_allowed', {
    message: `Only files with these extensions are accepted here: ${allowed.join(', ')}.`,
    details: { name: refused, allowed },
  })
}
