// Settings under names that other programs use.
import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import { deprecated, parseInput } from '../http/schema.ts'
import { invalidInput } from '../lib/errors.ts'
import { isSettingKey, secretMask, settingKeys, settingsTable, type SettingKey } from './table.ts'

/** Names that differ from ours in more than case and separators. */
const otherNames = {
  blockedExtensionsUser: 'blockedExtensions',
  blockedExtensionsGuest: 'blockedExtensionsGuests',
  serverTimezone: 'timeZone',
  shareIdLength: 'linkIdLength',
  smtpPass: 'smtpPassword',
  smtpSecure: 'smtpSecurity',
  smtpUsername: 'smtpUser',
} as const satisfies Readonly<Record<string, SettingKey>>

const isSmtpSecure = (name: string) => plainName(name) === 'smtpsecure'

/** The value of our setting: TLS from the first byte, as nodemailer has it, otherwise STARTTLS. */
function parseOther(name: string, key: SettingKey, value: unknown): unknown {
  if (!isSmtpSecure(name)) return parseInput(settingsTable[key].schema, value, name)
  return parseInput(v.boolean(), value, name) ? 'tls' : 'starttls'
}

/** These names in the description of requests. */
export const otherNameEntries = Object.fromEntries(
  Object.entries(otherNames).map(([name, key]) => {
    const schema: v.GenericSchema = isSmtpSecure(name) ? v.boolean() : settingsTable[key].schema
    return [name, v.nullish(deprecated(schema, `\`${key}\` for other clients`))]
  }),
)

const byPlainName: ReadonlyMap<string, SettingKey> = new Map([
  ...settingKeys.map((key) => [plainName(key), key] as const),
  ...Object.entries(otherNames).map(([name, key]) => [plainName(name), key] as const),
])

/** `smtp_password`, `SMTP.Password` and `smtpPassword` are one name. */
function plainName(name: string): string {
  return name.replaceAll(/[_.-]/g, '').toLowerCase()
}

/** The setting that a name of another program stands for; null for our own names and others. */
export function meantSetting(name: string): SettingKey | null {
  return isSettingKey(name) ? null : (byPlainName.get(plainName(name)) ?? null)
}

/**
 * A change of settings under our names alone. The result depends on the change only, not on present
 * values, so that repeating a request does not change anything.
 * @throws CodedError invalid_input for a wrong value, or for names of one setting that disagree
 */
export function withOurNames(
  changes: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const result = new Map<string, unknown>()
  const renamed: [name: string, key: SettingKey, value: unknown][] = []
  for (const [name, value] of Object.entries(changes)) {
    const key = meantSetting(name)
    // Null removes a custom value that an earlier version has stored under this name.
    if (key === null || value === null) result.set(name, value)
    else renamed.push([name, key, value])
  }
  for (const [name, key, value] of renamed) {
    const { schema, isSecret } = settingsTable[key]
    const parsed = parseOther(name, key, value)
    if (!result.has(key)) {
      result.set(key, parsed)
      continue
    }
    const other = result.get(key)
    if (isSecret && isBlank(parsed)) {
      // A form that shows no secret sends it blank beside the mask.
      if (parsed === secretMask && other === '') result.set(key, parsed)
    } else if (isSecret && isBlank(other)) result.set(key, parsed)
    else if (!isDeepStrictEqual(parseInput(schema, other, key), parsed)) {
      throw invalidInput(name, `differs from ${key}: send one of them`)
    }
  }
  // All keys stay own keys, even `__proto__`.
  return Object.fromEntries(result)
}

const isBlank = (secret: unknown) => secret === '' || secret === secretMask
