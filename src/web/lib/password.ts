/** 32 unambiguous characters, so that every byte yields each with the same probability. */
const signs = 'abcdefghijkmnpqrstuvwxyz23456789'

/** 60 bits, in three groups that can be read aloud: guesses are few, as the service counts them. */
export function generatePassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12))
  const letters = Array.from(bytes, (byte) => signs[byte % signs.length]).join('')
  return letters.replace(/.{4}(?=.)/g, '$&-')
}
