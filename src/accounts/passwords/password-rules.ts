import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { localPartOf } from '../../lib/email-address.ts'
import { CodedError, invalidInput } from '../../lib/errors.ts'
import { packageRoot } from '../../lib/package-root.ts'

export interface PasswordOwner {
  readonly email: string
  /** The name of the service. */
  readonly appName: string
}

/** The minimum of the request field, which counts what was typed. */
const charactersMin = 8
/** Digits and signs around a word that make it no other password: `Acme2026!`. */
const addedMax = 5
const wordMin = 3

/**
 * Refuses passwords that are guessed first: the most common ones (NIST SP 800-63B, section
 * 5.1.1.2), a single repeated character, a season with a year, and the account's email address or
 * the name of the service, also with a few digits or signs.
 * @param password in the form NFKC, which may have fewer characters than were typed
 * @throws CodedError invalid_input that names the field
 */
export async function requireUncommon(
  password: string,
  { email, appName }: PasswordOwner,
  field = 'password',
): Promise<void> {
  if (password.length < charactersMin) {
    throw invalidInput(field, `must have at least ${charactersMin} characters`)
  }
  const [first = ''] = Array.from(password)
  if (password === first.repeat(password.length / first.length)) {
    throw tooCommon(field, 'it repeats a single character')
  }
  if (isWord(password, email) || isWord(password, localPartOf(email))) {
    throw tooCommon(field, 'it is the email address')
  }
  if (isWord(password, appName)) {
    throw tooCommon(field, 'it is the name of this service')
  }
  if (seasonAndYear.test(plainOf(password))) {
    throw tooCommon(field, 'it is a season and a year')
  }
  if (await isCommon(password.trim().toLowerCase())) throw tooCommon(field)
}

function tooCommon(field: string, why?: string): CodedError {
  return new CodedError('invalid_input', {
    message: `This password is too common${why ? `: ${why}` : ''}.`,
    details: { field, reason: 'common_password' },
  })
}

/** The seasons in the languages of the service, and those that people write without accents. */
const seasons =
  'spring|summer|autumn|fall|winter|frühling|fruehling|frühjahr|sommer|herbst|' +
  'printemps|été|ete|automne|hiver|primavera|verano|otoño|otono|invierno|estate|autunno|inverno|' +
  'verão|verao|outono|lente|zomer|herfst|wiosna|lato|jesień|jesien|zima|jaro|léto|leto|podzim|' +
  'vår|sommar|höst|vinter|ilkbahar|yaz|sonbahar|kış|kis|весна|літо|осінь|зима|' +
  '春|夏|秋|冬|春天|夏天|秋天|冬天'
const seasonAndYear = new RegExp(
  `^(?:(?:${seasons})(?:of)?(?:19|20)?\\d\\d|(?:19|20)\\d\\d(?:${seasons}))[^\\p{L}\\d]*$`,
  'u',
)

/** Whether a password is a word, with at most a few digits or signs around it. */
function isWord(password: string, word: string): boolean {
  const [plain, wanted] = [plainOf(password), plainOf(word)]
  if (plain === wanted) return true
  const core = lettersOf(plain)
  const isDecorated = plain.length - core.length <= addedMax && core.length >= wordMin
  return isDecorated && core === lettersOf(wanted)
}

/** From the first letter to the last. */
function lettersOf(text: string): string {
  return /\p{L}.*\p{L}/su.exec(text)?.[0] ?? ''
}

/** Removes characters that people add to make a word look different. */
function plainOf(text: string): string {
  return text.toLowerCase().replaceAll(/[\s._-]/g, '')
}

/** One string of 20 KB, loaded when the first password is set; a Set would take 200 KB. */
let commonPasswords: string | null = null

async function isCommon(password: string): Promise<boolean> {
  if (password.includes('\n')) return false
  commonPasswords ??= await readFile(
    path.join(packageRoot, 'static/common-passwords.txt'),
    'latin1',
  )
  return commonPasswords.includes(`\n${password}\n`)
}
