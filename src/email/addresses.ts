import { asciiAddress, isEmailAddress } from '../lib/email-address.ts'

/** Limit for one text; a service that emails more people at once invites spammers. */
export const addressesMax = 100

export interface FoundAddresses {
  /** Without duplicates in any case, their domains in ASCII. */
  readonly addresses: readonly string[]
  /** Words that are not addresses, and addresses above the limit. */
  readonly ignored: readonly string[]
}

/**
 * Finds the email addresses in a typed text: separated by commas, semicolons or white space; bare,
 * or as `Name <address>`.
 */
export function findAddresses(text: string): FoundAddresses {
  const found = new Map<string, string>()
  const ignored: string[] = []
  for (const entry of text.split(/[,;\r\n]/)) {
    if (entry.trim() === '') continue
    const words = addressWords(entry)
    const addresses = words.filter(isEmailAddress).map(asciiAddress)
    if (addresses.length === 0) ignored.push(entry.trim())
    for (const address of addresses) {
      const key = address.toLowerCase()
      if (found.has(key)) continue
      if (found.size < addressesMax) found.set(key, address)
      else ignored.push(address)
    }
  }
  return { addresses: [...found.values()], ignored }
}

/** `Name <address>` means only the one in brackets; the name may look like an address too. */
function addressWords(entry: string): string[] {
  const begin = entry.lastIndexOf('<')
  const end = entry.indexOf('>', begin)
  if (begin !== -1 && end !== -1) return [entry.slice(begin + 1, end).trim()]
  // An apostrophe may be part of an address, so only quotes around a word are removed.
  const words = entry.split(/[\s()[\]"]+/)
  return words.map((word) => withoutQuotes(word).replace(/^mailto:/i, ''))
}

/** Without a regular expression: one for trailing quotes would take quadratic time. */
function withoutQuotes(word: string): string {
  let start = 0
  let end = word.length
  while (word[start] === "'") start += 1
  while (end > start && word[end - 1] === "'") end -= 1
  return word.slice(start, end)
}
