import { inflateRawSync } from 'node:zlib'
import { invalidInput } from '../../lib/errors.ts'

export interface PasswordOwner {
  readonly email: string
  /** The name of the service. */
  readonly appName: string
}

/**
 * Refuses passwords that are guessed first: the most common ones (NIST SP 800-63B, section
 * 5.1.1.2), a single repeated character, the account's email address, the name of the service. The
 * schema checks the length.
 * @throws CodedError invalid_input that names the field
 */
export async function requireUncommon(
  password: string,
  { email, appName }: PasswordOwner,
  field = 'password',
): Promise<void> {
  const plain = plainOf(password)
  const [first = ''] = Array.from(password)
  if (password === first.repeat(password.length / first.length)) {
    throw invalidInput(field, 'must not repeat a single character')
  }
  if (plain === plainOf(email) || plain === plainOf(email.split('@')[0] ?? '')) {
    throw invalidInput(field, 'must not be the email address')
  }
  if (plain === plainOf(appName)) {
    throw invalidInput(field, 'must not be the name of this service')
  }
  if (await isCommon(password.trim().toLowerCase())) {
    throw invalidInput(field, 'is one of the most common passwords; choose another one')
  }
}

/** Removes characters that people add to make a word look different. */
function plainOf(text: string): string {
  return text.toLowerCase().replaceAll(/[\s._-]/g, '')
}

/** One string of 20 KB, loaded when the first password is set; a Set would take 200 KB. */
let commonPasswords: string | null = null

async function isCommon(password: string): Promise<boolean> {
  if (/\s/.test(password)) return false
  if (commonPasswords === null) {
    const { packedPasswords } = await import('./common-passwords.ts')
    const packed = Buffer.from(packedPasswords, 'base64')
    commonPasswords = ` ${inflateRawSync(packed).toString('latin1')} `
  }
  return commonPasswords.includes(` ${password} `)
}
