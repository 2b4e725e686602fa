/** Somebody who is written to. What was typed and is no address is kept as it is, to be mended. */
export interface Recipient {
  readonly email: string
  /** Empty when none was said. */
  readonly name: string
}

// As the service has it (HTML's own rule for <input type=email>).
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const pattern = new RegExp(`^[a-z0-9.!#$%&'*+/=?^_\`{|}~-]+@${label}(?:\\.${label})*$`, 'i')

export const isAddress = ({ email }: Recipient) => email.length <= 254 && pattern.test(email)

export const isSame = (one: Recipient, other: Recipient) =>
  one.email.toLowerCase() === other.email.toLowerCase()

/**
 * Everybody who is named in a text, each once: separated by commas, semicolons, lines or spaces;
 * bare, or as `Ada <ada@example.org>`, where a name in quotes may hold commas.
 */
export function readRecipients(text: string): Recipient[] {
  const found: Recipient[] = []
  for (const entry of text.match(/(?:"[^"\r\n]*"\s*(?=<[^<>,;]*>)|[^,;\r\n])+/g) ?? []) {
    for (const recipient of readEntry(entry.trim())) {
      if (recipient.email && !found.some((one) => isSame(one, recipient))) found.push(recipient)
    }
  }
  return found
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

/** Without what has a meaning between addresses. */
const plain = (text: string) => text.replace(/["<>,;\s]+/g, ' ').trim()

export const writeRecipient = ({ name, email }: Recipient) =>
  plain(name) ? `${plain(name)} <${email}>` : email

/** As the service takes them, and as readRecipients() reads them again. */
export const writeRecipients = (list: readonly Recipient[]) => list.map(writeRecipient).join(', ')
