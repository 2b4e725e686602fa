/** A recipient. Text that is no address is kept unchanged, to be corrected. */
export interface Recipient {
  readonly email: string
  /** Empty when unknown. */
  readonly name: string
}

// Same as in the service (HTML's own rule for <input type=email>).
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const pattern = new RegExp(`^[a-z0-9.!#$%&'*+/=?^_\`{|}~-]+@${label}(?:\\.${label})*$`, 'i')

/** With the domain in ASCII (IDNA), as the service stores it. */
function toAscii(email: string): string {
  const [, local, domain] = /^([^@]+@)([\p{L}\p{M}\p{N}.-]+)$/u.exec(email) ?? []
  const isOther = domain !== undefined && /\P{ASCII}/u.test(domain)
  return isOther && URL.canParse(`http://${domain}`)
    ? `${local}${new URL(`http://${domain}`).hostname}`
    : email
}

export const isAddress = ({ email }: Recipient) =>
  email.length <= 254 && pattern.test(toAscii(email))

const identify = ({ email }: Recipient) => toAscii(email).toLowerCase()

export const isSame = (one: Recipient, other: Recipient) => identify(one) === identify(other)

/**
 * All recipients in a text, without duplicates: separated by commas, semicolons, lines or spaces;
 * bare, or as `Ada <ada@example.org>`, where a quoted name may contain commas.
 */
export function readRecipients(text: string): Recipient[] {
  const found = new Map<string, Recipient>()
  for (const entry of text.match(/(?:"[^"\r\n]*"\s*(?=<[^<>,;]*>)|[^,;\r\n])+/g) ?? []) {
    for (const recipient of readEntry(entry.trim())) {
      const id = identify(recipient)
      if (id && !found.has(id)) found.set(id, recipient)
    }
  }
  return [...found.values()]
}

function readEntry(entry: string): Recipient[] {
  const named = /^(.*)<([^<>]*[^<>\s][^<>]*)>/.exec(entry)
  const name = plain(named?.[1] ?? '')
  if (named && name) return [{ name, email: plain(named[2]!) }]
  const bare = named?.[2] ?? entry
  const words = bare.includes('@') ? bare.split(/[\s()[\]"<>]+/) : [bare]
  const strip = (word: string) => word.replace(/^['\s]+|['\s]+$/g, '').replace(/^(mailto:)+/i, '')
  return words.map((word) => ({ name: '', email: strip(plain(word)) }))
}

/** Removes characters with a meaning between addresses. */
const plain = (text: string) => text.replace(/["<>,;\s]+/g, ' ').trim()

export const writeRecipient = ({ name, email }: Recipient) =>
  plain(name) ? `${plain(name)} <${email}>` : email

/** In the form of the service, which readRecipients() parses too. */
export const writeRecipients = (list: readonly Recipient[]) => list.map(writeRecipient).join(', ')
