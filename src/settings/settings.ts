import { isDeepStrictEqual } from 'node:util'
import type { Audit } from '../audit/audit.ts'
import type { Database, Sql } from '../database/connect.ts'
import type { Signals } from '../database/signals.ts'
import { parseInput } from '../http/schema.ts'
import type { Manager } from '../lib/actor.ts'
import type { Clock } from '../lib/clock.ts'
import { CodedError, invalidInput } from '../lib/errors.ts'
import { requireFreshSession } from '../lib/fresh-session.ts'
import { GroundPictures, parsePicture, type GroundPicture } from './ground-picture.ts'
import { withOurNames } from './other-names.ts'
import { sizeAlias, withoutSizeAlias } from './size-alias.ts'
import * as rows from './sql.ts'
import {
  defaultSettings,
  isSettingKey,
  secretKeys,
  secretMask,
  settingKeys,
  settingsTable,
  type SettingKey,
  type SettingValues,
} from './table.ts'

const customKeysMax = 100
const customBytesMax = 16 * 1024
/**
 * Settings that decide which server gets the SMTP password, and whether it is encrypted on the way.
 */
const mailServerKeys = ['smtpHost', 'smtpPort', 'smtpSecurity'] as const
const customKeyPattern = /^[A-Za-z][A-Za-z0-9_.-]{0,99}$/
/** Never stored, because programs that read the settings could misinterpret them. */
const unsafeKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** A custom value with a meaning: it is a state of the service rather than a setting. */
export const emailsHeldKey = 'emailsHeld'

/** Shown by GET beside the settings, and accepted unchanged by PUT. */
export const readOnlyKeys: ReadonlySet<string> = new Set(['version', 'baseUrl'])

export type ConfigView = Readonly<Record<string, unknown>>

/** Encrypts secrets for the database: see accounts/sign-in/keys.ts. */
export interface Sealer {
  seal(plain: string): Buffer
  /** @throws when the bytes were sealed with another key or have changed since */
  unseal(bytes: Buffer): string
}

export interface SettingsDeps {
  readonly database: Database
  readonly audit: Audit
  readonly clock: Clock
  readonly version: string
  /** Base of links: BASE_URL. */
  readonly baseUrl: string
  readonly sealer: Sealer
  /** Whether a sign-in without a password is known to work. */
  readonly hasOtherSignIn: (sql: Sql) => Promise<boolean>
  /** Null where no other process serves the same database. */
  readonly signals: Signals | null
}

/**
 * The settings of the deployment. Reads come from memory; changes of another process appear with
 * the next `refresh` (a job, every few seconds).
 */
export class Settings {
  readonly #deps: SettingsDeps
  readonly #pictures: GroundPictures
  /** Reads that have begun, and which of them the values are from. */
  #reads = 0
  #taken = 0
  #values: SettingValues = defaultSettings
  #secrets: ReadonlyMap<SettingKey, string> = new Map()
  #custom: Readonly<Record<string, unknown>> = {}

  constructor(deps: SettingsDeps) {
    this.#deps = deps
    this.#pictures = new GroundPictures(deps.database)
    deps.signals?.on('settings', () => this.refresh())
  }

  /** Every setting; secrets are masked, or empty. */
  get values(): SettingValues {
    return this.#values
  }

  /** The plain text of a secret setting; '' when it is unset or was sealed with another key. */
  secret(key: SettingKey): string {
    return this.#secrets.get(key) ?? ''
  }

  /** Null without a picture behind the card. */
  async groundPicture(): Promise<GroundPicture | null> {
    return this.#pictures.find(this.#values.groundPicture)
  }

  async refresh(): Promise<void> {
    const read = (this.#reads += 1)
    const stored = await rows.listSettings(this.#deps.database.sql)
    // An earlier read may end later.
    if (read < this.#taken) return
    this.#taken = read
    this.#take(stored)
  }

  /** Whether emails wait, as in a service restored with `--no-mail`. */
  get areEmailsHeld(): boolean {
    return this.#custom[emailsHeldKey] === true
  }

  /** For administrators: every setting, custom values, and read-only keys. */
  all(): ConfigView {
    const alias = sizeAlias(this.#values.maxShareSize)
    const fixed = { version: this.#deps.version, baseUrl: this.#deps.baseUrl }
    return { ...this.#custom, ...this.#values, ...alias, ...fixed }
  }

  /** For everyone. */
  branding(): ConfigView {
    const shown = settingKeys.filter((key) => settingsTable[key].isPublic)
    return Object.fromEntries(shown.map((key) => [key, this.#values[key]]))
  }

  /**
   * Changes settings, all or nothing. Stores unknown keys as custom values, except `unsafeKeys` and
   * secrets; null removes one. Names of other programs count as ours.
   * @returns the unknown keys
   * @throws CodedError invalid_input naming the first wrong one; api_token_not_allowed,
   *   confirmation_required, mail_not_configured, no_other_sign_in
   */
  async update(actor: Manager, input: Readonly<Record<string, unknown>>): Promise<string[]> {
    const given = withoutSizeAlias(withOurNames(input))
    const isChange = ([key, value]: [string, unknown]) => !this.#isUnchanged(key, value)
    const changes = Object.entries(given).filter(isChange)
    const unknownKeys = changes.map(([key]) => key).filter((key) => !isSettingKey(key))
    const kept = changes.filter(([key]) => !unsafeKeys.has(key))
    const parsed = kept.map(([key, value]): [string, unknown] => {
      const schema = isSettingKey(key) ? settingsTable[key].schema : null
      return [key, schema ? parseInput(schema, value, key) : checkCustom(key, value)]
    })
    const picture = takePicture(parsed)
    await this.#deps.database.begin(async (sql) => {
      await rows.lockSettings(sql)
      const stored = new Map((await rows.listSettings(sql)).map(({ key, value }) => [key, value]))
      checkCustomCount([...stored.keys()], parsed)
      const changed = parsed.filter(([key, value]) => !isStored(stored, key, value))
      guard(actor, changed)
      const news = new Map(changed)
      this.#requirePasswordAgain(actor, stored, news)
      requireEmail(stored, news)
      const at = new Date(this.#deps.clock.now())
      for (const [key, value] of parsed) {
        if (isRemoval(key, value)) await rows.deleteSetting(sql, key)
        else await rows.upsertSetting(sql, key, this.#toStored(key, value), at)
      }
      if (picture !== null) await rows.writeGroundPicture(sql, picture, at)
      // The operator could turn passwords on again.
      if (actor.kind !== 'operator' && news.has('passwordSignIn')) await this.requireSignIn(sql)
      await this.#deps.signals?.tell(sql, 'settings')
      if (changed.length === 0) return
      const details = { keys: changed.map(([key]) => key) }
      await this.#deps.audit.record(sql, actor, 'settings.changed', {}, details)
    })
    await this.refresh()
    return unknownKeys
  }

  /** Values that GET shows, which PUT may send back without a change. */
  #isUnchanged(key: string, value: unknown): boolean {
    if (readOnlyKeys.has(key)) return true
    if (key === 'groundPicture') return value !== '' && value === this.#values.groundPicture
    return value === secretMask && secretKeys.includes(key)
  }

  /** A stored value that no longer fits its setting counts as its default. */
  #take(stored: readonly { key: string; value: unknown }[]): void {
    const values: Record<string, unknown> = { ...defaultSettings }
    const custom: Record<string, unknown> = {}
    const secrets = new Map<SettingKey, string>()
    for (const { key, value } of stored) {
      if (!isSettingKey(key)) {
        custom[key] = value
        continue
      }
      try {
        if (settingsTable[key].isSecret) {
          const plain = this.#unseal(value)
          secrets.set(key, plain)
          values[key] = plain === '' ? '' : secretMask
        } else {
          values[key] = parseInput(settingsTable[key].schema, value)
        }
      } catch {
        values[key] = defaultSettings[key]
      }
    }
    this.#values = values as unknown as SettingValues
    this.#custom = custom
    this.#secrets = secrets
  }

  /**
   * The stored password is never sent to another SMTP server, or unencrypted: a stolen session must
   * not read it by configuring its own server. The operator could read it anyway.
   */
  #requirePasswordAgain(
    actor: Manager,
    stored: ReadonlyMap<string, unknown>,
    changed: ReadonlyMap<string, unknown>,
  ): void {
    if (actor.kind === 'operator' || changed.has('smtpPassword')) return
    const isMoved = mailServerKeys.some((key) => changed.has(key)) && changed.get('smtpHost') !== ''
    if (!isMoved || !this.#holds(stored.get('smtpPassword'))) return
    throw invalidInput('smtpPassword', 'is required again to change the SMTP server')
  }

  /**
   * Requires that not everyone is locked out; call it after a change. Reads what is stored, because
   * another process may have changed it.
   * @throws CodedError no_other_sign_in
   */
  async requireSignIn(sql: Sql): Promise<void> {
    const stored = await rows.listSettings(sql)
    const isOff = stored.some(({ key, value }) => key === 'passwordSignIn' && value === false)
    if (isOff && !(await this.#deps.hasOtherSignIn(sql))) throw new CodedError('no_other_sign_in')
  }

  /** Whether a stored secret is not empty; one sealed with another key is lost. */
  #holds(sealed: unknown): boolean {
    try {
      return sealed !== undefined && this.#unseal(sealed) !== ''
    } catch {
      return false
    }
  }

  #toStored(key: string, value: unknown): unknown {
    if (!secretKeys.includes(key)) return value
    return { sealed: this.#deps.sealer.seal(String(value)).toString('base64') }
  }

  #unseal(stored: unknown): string {
    const { sealed } = stored as { sealed: string }
    return this.#deps.sealer.unseal(Buffer.from(sealed, 'base64'))
  }
}

/** @throws CodedError api_token_not_allowed, confirmation_required */
function guard(actor: Manager, changed: readonly (readonly [string, unknown])[]): void {
  const guarded = changed.find(([key]) =>
    isSettingKey(key) ? settingsTable[key].isGuarded : key === emailsHeldKey,
  )
  if (guarded) requireFreshSession(actor, guarded[0])
}

/**
 * Sign-up needs email at the time when it is turned on; later it waits while email is off.
 * @throws CodedError mail_not_configured
 */
function requireEmail(stored: ReadonlyMap<string, unknown>, changed: ReadonlyMap<string, unknown>) {
  if ((changed.get('signUp') ?? 'off') === 'off') return
  const values = new Map([...stored, ...changed])
  if (!values.get('smtpHost') || !values.get('smtpFrom')) {
    throw new CodedError('mail_not_configured')
  }
}

/**
 * Replaces the picture among the changes by its version.
 * @returns its data: URL, empty to remove it, null for no change
 * @throws CodedError invalid_input for the version of another picture
 */
function takePicture(changes: [key: string, value: unknown][]): string | null {
  const change = changes.find(([key]) => key === 'groundPicture')
  if (!change) return null
  const given = String(change[1])
  if (given === '') return ''
  const picture = parsePicture(given)
  if (!picture) throw invalidInput(change[0], 'is not the version of the current picture')
  change[1] = picture.version
  return given
}

/** Null means no value; no setting accepts it. */
function isRemoval(key: string, value: unknown): boolean {
  return value === null && !isSettingKey(key)
}

/** Whether a value is already in effect; unknown for secrets. */
function isStored(stored: ReadonlyMap<string, unknown>, key: string, value: unknown): boolean {
  if (isRemoval(key, value)) return !stored.has(key)
  const current = stored.has(key) || !isSettingKey(key) ? stored.get(key) : defaultSettings[key]
  return isDeepStrictEqual(current, value)
}

/** @throws CodedError invalid_input */
function checkCustomCount(
  storedKeys: readonly string[],
  changes: readonly (readonly [key: string, value: unknown])[],
): void {
  const custom = new Set(storedKeys.filter((key) => !isSettingKey(key)))
  const given = changes.filter(([key]) => !isSettingKey(key))
  for (const [key, value] of given) {
    if (value === null) custom.delete(key)
    else custom.add(key)
  }
  const last = given.findLast(([, value]) => value !== null)
  if (last && custom.size > customKeysMax) {
    const why = `cannot be added: at most ${customKeysMax} custom values are allowed`
    throw invalidInput(last[0], why)
  }
}

/** A custom value is stored as it is, within bounds. */
function checkCustom(key: string, value: unknown): unknown {
  if (key === '') {
    throw new CodedError('invalid_input', {
      message: 'A key is empty. Name a setting or a custom value.',
      details: { field: key },
    })
  }
  if (!customKeyPattern.test(key)) {
    const why = 'is neither a setting nor a valid name for a custom value'
    throw invalidInput(key.slice(0, 100), why)
  }
  const text = JSON.stringify(value)
  if (Buffer.byteLength(text) > customBytesMax) {
    throw invalidInput(key, `must have at most ${customBytesMax} bytes as JSON`)
  }
  // Without escaped backslashes, all others begin an escape.
  if (/\\u(?:0000|d[89a-f])/.test(text.replaceAll('\\\\', ''))) {
    throw invalidInput(key, 'must be well-formed Unicode without NUL')
  }
  const secret = findSecretName(key, value)
  if (secret !== null) {
    const shown = `${secret} looks like a secret, and custom values are shown`
    throw invalidInput(key, `${shown}: secrets belong in ${secretKeys.join(', ')}`)
  }
  return value
}

/** Names of secret values. Custom values are stored and shown as they are. */
const ends = [
  'passwords?|passwd|passwort|passphrase|passcode|secrets?|tokens?|credentials?',
  '(?:api|private|secret|access|signing|encryption|master|auth)keys?',
  // After other letters they may be the end of another word, as in compass.
  '(?:smtp|mail|imap|ldap|db|user|client|admin|oidc|sso)(?:pass|pwd|pw)',
]
/** The end of a name without separators, in lower case: `apiKey`, `API_KEY` and `api.key`. */
const secretEnd = new RegExp(`(?:${ends.join('|')})(?:value|text|plain)?$`)
const secretWords: ReadonlySet<string> = new Set(['pass', 'pwd', 'pw'])

function isSecretName(name: string): boolean {
  const words = name.replaceAll(/([a-z0-9])(?=[A-Z])/g, '$1_').split(/[_.\s-]+/)
  const last = words.at(-1)!.toLowerCase()
  return secretWords.has(last) || secretEnd.test(words.join('').toLowerCase())
}

/** Switches and blank fields tell nothing. */
const isTelling = (value: unknown) => value !== '' && value !== null && typeof value !== 'boolean'

/** The name of a secret in a custom value, or its own name; null when none looks like one. */
export function findSecretName(key: string, value: unknown): string | null {
  const rest: [name: string, value: unknown][] = [[key, value]]
  for (let next = rest.pop(); next; next = rest.pop()) {
    const [name, held] = next
    if (isTelling(held) && isSecretName(name)) return name
    if (typeof held === 'object' && held !== null) rest.push(...Object.entries(held))
  }
  return null
}
