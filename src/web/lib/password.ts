/** 32 unambiguous characters, so that every byte yields each with the same probability. */
const signs = 'abcdefghijkmnpqrstuvwxyz23456789'

/** 100 bits, in groups that can be read aloud. */
export function generatePassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(20))
  const letters = Array.from(bytes, (byte) => signs[byte % signs.length]).join('')
  return letters.replace(/.{5}(?=.)/g, '$&-')
}
