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
