import { createRequire } from 'node:module'
import type { Options } from '@node-rs/argon2'
import { requesterAt } from '../../http/client-ip.ts'
import type { Actor, AnonymousActor, GuestActor, OperatorActor } from '../../lib/actor.ts'
import type { Clock } from '../../lib/clock.ts'
import { inTurns, Permits, type Requester } from '../../lib/permits.ts'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { localPartOf } from '../../lib/email-address.ts'
import { CodedError, invalidInput } from '../../lib/errors.ts'
import { packageRoot } from '../../lib/package-root.ts'
import type { AccountBasis } from '../deps.ts'
import { findUser, renewPasswordHash, type User } from '../users/sql.ts'

/** In the library's units: KiB and passes. */
export type HashCost = Required<Pick<Options, 'memoryCost' | 'timeCost'>>

/** argon2id with 19 MiB and two passes: OWASP's first recommendation for small memory. */
const usualCost: HashCost = { memoryCost: 19 * 1024, timeCost: 2 }
const turns = { waitersMax: 200, waitMsMax: 30_000 }
const hashesMaxDefault = 2
/** The service itself, and administrators on the command line. */
const service: Requester = { key: '', isKnown: true }

interface PasswordsOptions {
  /** Name of the service, which is refused as a password. */
  readonly appName?: () => string
  readonly cost?: HashCost | undefined
  /** Hashes at once. */
  readonly hashesMax?: number
  readonly clock?: Clock
}

/** A right password. */
interface PasswordMatch {
  /** Store it in place of the old hash, which only one spelling of the password matches. */
  readonly renewedHash: string | null
}

/**
 * Hashes and checks passwords, one or two at a time, so that many at once stay within memory.
 * Requesters take turns: see FairQueue. Keyboards and systems spell the same characters in
 * different ways, so passwords are hashed in the form NFKC (NIST SP 800-63B, section 5.1.1.2).
 */
export class Passwords {
  readonly #turns: Permits<Requester>
  readonly #appName: () => string
  readonly #parameters: Options
  #decoy: Promise<string> | null = null

  constructor(options: PasswordsOptions = {}) {
    this.#appName = options.appName ?? (() => 'Transfer')
    this.#turns = new Permits(inTurns(options.hashesMax ?? hashesMaxDefault), {
      ...turns,
      clock: options.clock,
    })
    this.#parameters = { ...(options.cost ?? usualCost), algorithm: 2, parallelism: 1 }
  }

  /** @throws CodedError unavailable */
  hash(password: string, requester = service): Promise<string> {
    return this.#turns.run(
      async () => (await loadArgon2()).hash(password.normalize('NFKC'), this.#parameters),
      requester,
    )
  }

  /**
   * The hash of a new password for an account.
   * @param field the request field of the password
   * @throws CodedError invalid_input for a password that is guessed first
   */
  async hashOfAccount(
    password: string,
    email: string,
    requester: Requester,
    field?: string,
  ): Promise<string> {
    const normal = password.normalize('NFKC')
    await requireUncommon(normal, { email, appName: this.#appName() }, field)
    return this.hash(normal, requester)
  }

  /**
   * Whether the password matches the hash; null if not. Hashes from before passwords were
   * normalized match the spelling that was typed then. Without a hash (unknown user) it does the
   * same work and returns null, so that response times do not reveal which addresses have an
   * account.
   * @throws CodedError unavailable
   */
  async matches(
    passwordHash: string | null,
    password: string,
    requester = service,
  ): Promise<PasswordMatch | null> {
    // Made in both cases, so that the first call takes equally long in each.
    const decoy = this.#makeDecoy()
    const known = passwordHash ?? (await decoy)
    const verify = (text: string) =>
      this.#turns.run(async () => (await loadArgon2()).verify(known, text), requester)
    const normal = password.normalize('NFKC')
    const isRight = await verify(normal)
    const isOldSpelling = !isRight && normal !== password && (await verify(password))
    if (passwordHash === null || !(isRight || isOldSpelling)) return null
    return { renewedHash: isOldSpelling ? await this.hash(normal, requester) : null }
  }

  #makeDecoy(): Promise<string> {
    if (this.#decoy) return this.#decoy
    const decoy = this.hash('nobody has this password', { ...service, isFirst: true })
    decoy.catch(() => {
      this.#decoy = null
    })
    this.#decoy = decoy
    return decoy
  }
}

/**
 * The account as it is stored now if the password is right; otherwise null. Does the same work
 * without an account or a password. Renews an old hash, which changes no password and ends no
 * session.
 * @throws CodedError unavailable
 */
export async function checkAccountPassword(
  deps: Pick<AccountBasis, 'database' | 'passwords'>,
  user: User | null,
  password: string,
  requester: Requester,
): Promise<User | null> {
  const { sql } = deps.database
  const passwordHash = user?.passwordHash || null
  const match = await deps.passwords.matches(passwordHash, password, requester)
  if (!user || !match) return null
  const { renewedHash } = match
  if (renewedHash === null) return user
  if (await renewPasswordHash(sql, user, renewedHash)) return { ...user, passwordHash: renewedHash }
  // Changed meanwhile, perhaps by another sign-in that has renewed it.
  return checkAccountPassword(deps, await findUser(sql, user.id), password, requester)
}

/**
 * An account has one turn for all its addresses, and strangers do not take its place; other
 * requesters have one per address.
 */
export function requesterOf(actor: Actor | GuestActor | AnonymousActor | OperatorActor): Requester {
  if (actor.kind === 'operator') return service
  if (actor.kind !== 'user') return requesterAt(actor.ip)
  return { key: `account ${actor.userId}`, isKnown: true }
}

const name = '@node-rs/argon2'

/** The library that hashes passwords has no binary here; the message says what to do. */
export class Argon2Missing extends Error {
  override readonly name = 'Argon2Missing'
}

/** Loaded by the first password, because an idle service saves 5 MB without it. */
async function loadArgon2(): Promise<typeof import('@node-rs/argon2')> {
  try {
    return await import('@node-rs/argon2')
  } catch (error) {
    requireArgon2()
    throw new Argon2Missing(`${name} does not run on this machine, and passwords need it.`, {
      cause: error,
    })
  }
}

/**
 * For the start of the service: its binary is an optional package, without which the first sign-in
 * would fail.
 * @throws Argon2Missing
 */
export function requireArgon2(platform = process.platform, arch: string = process.arch): void {
  const found = createRequire(createRequire(import.meta.url).resolve(name))
  const { optionalDependencies } = found('./package.json') as {
    optionalDependencies: Readonly<Record<string, string>>
  }
  const machine = `${name}-${platform}-${arch}`
  const usable = Object.keys(optionalDependencies).filter(
    (one) => one === machine || one.startsWith(`${machine}-`),
  )
  if (usable.some((one) => isInstalled(found, one))) return
  if (usable.length === 0) {
    throw new Argon2Missing(`${name} does not run on ${platform}-${arch}, and passwords need it.`)
  }
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } }
  const libc = report.header?.glibcVersionRuntime === undefined ? '-musl' : '-gnu'
  const wanted = usable.find((one) => one.includes(libc)) ?? usable[0]
  throw new Argon2Missing(
    `${wanted} is not installed, and passwords need it. ` +
      'Install again without --omit=optional.',
  )
}

function isInstalled(found: NodeJS.Require, one: string): boolean {
  try {
    found.resolve(one)
    return true
  } catch {
    return false
  }
}

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
