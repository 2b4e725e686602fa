import * as v from 'valibot'

/** One text may name this many people; a service that emails more for anybody is a spammer's. */
export const addressesMax = 100

const addressCharactersMax = 254
const addressSchema = v.pipe(v.string(), v.maxLength(addressCharactersMax), v.rfcEmail())

export interface FoundAddresses {
  /** Each once, whatever its case. */
  readonly addresses: readonly string[]
  /** What is no address, and addresses above the limit. */
  readonly ignored: readonly string[]
}

/**
 * Finds the e-mail addresses in what somebody typed: separated by commas, semicolons, white space;
 * bare, or as `Name <address>`.
 */
export function findAddresses(text: string): FoundAddresses {
  const found = new Map<string, string>()
  const ignored: string[] = []
  for (const entry of text.split(/[,;\r\n]/)) {
    if (entry.trim() === '') continue
    const words = addressWords(entry)
    const addresses = words.filter((word) => v.is(addressSchema, word))
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

/** `Name <address>` names the one in brackets alone; the name may look like an address too. */
function addressWords(entry: string): string[] {
  const begin = entry.lastIndexOf('<')
  const end = entry.indexOf('>', begin)
  if (begin !== -1 && end !== -1) return [entry.slice(begin + 1, end).trim()]
  // An apostrophe may be part of an address: of quotes only those around a word go.
  const words = entry.split(/[\s()[\]"]+/)
  return words.map((word) => withoutQuotes(word).replace(/^mailto:/i, ''))
}

/** An expression that looks for quotes at the end would begin anew at each of thousands. */
function withoutQuotes(word: string): string {
  let start = 0
  let end = word.length
  while (word[start] === "'") start += 1
  while (end > start && word[end - 1] === "'") end -= 1
  return word.slice(start, end)
}
