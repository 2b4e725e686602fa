import { createRequire } from 'node:module'
import type { Options } from '@node-rs/argon2'
import { requesterAt } from '../../http/client-ip.ts'
import type { Actor, AnonymousActor, GuestActor, OperatorActor } from '../../lib/actor.ts'
import type { Clock } from '../../lib/clock.ts'
import { inTurns, Permits, type Requester } from '../../lib/permits.ts'
import { requireUncommon } from './password-rules.ts'

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
  const libc = hasGlibc() ? '-gnu' : '-musl'
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

function hasGlibc(): boolean {
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } }
  return report.header?.glibcVersionRuntime !== undefined
}
