import { operator } from '../lib/actor.ts'
import { CodedError } from '../lib/errors.ts'
import { parseBytes } from '../lib/sizes.ts'
import { type ConfigView, readOnlyKeys, emailsHeldKey } from '../settings/settings.ts'
import { meantSetting } from '../settings/other-names.ts'
import type { Setting } from '../settings/setting.ts'
import { isSettingKey, secretKeys, settingsTable } from '../settings/table.ts'
import { CommandError, UsageError, type Call, type Report } from './command.ts'
import { withApp } from './open-app.ts'
import { readSecret, readValue } from './prompt.ts'
import { type Column, formatTable, printable } from './table.ts'

const columns: Column<[key: string, value: unknown]>[] = [
  { title: 'KEY', text: ([key]) => key },
  { title: 'VALUE', text: ([, value]) => shown(value) },
]

export function getSettings(call: Call): Promise<Report> {
  return withApp({ bytes: false }, async ({ services }) => {
    const all = services.settings.all()
    const keys = call.operands
    if (keys.length === 0) {
      return { json: all, text: formatTable(Object.entries(all), columns) }
    }
    const chosen = keys.map((key): [string, unknown] => [key, valueOf(all, key)])
    const isOne = chosen.length === 1
    return {
      json: Object.fromEntries(chosen),
      text: isOne ? printable(shown(chosen[0]![1])) : formatTable(chosen, columns),
    }
  })
}

function valueOf(all: ConfigView, key: string): unknown {
  if (Object.hasOwn(all, key)) return all[key]
  throw new CodedError('not_found', { message: `There is no setting "${key}"` })
}

/** In the form that `settings set` accepts. */
function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export async function setSettings(call: Call): Promise<Report> {
  const given = splitAll(call.operands, call.has('custom'))
  const changes: [key: string, value: unknown][] = []
  for (const [key, text] of given) changes.push([key, parseValue(key, await readText(key, text))])
  return withApp({ bytes: false }, async ({ services }) => {
    const unknownKeys = await services.settings.update(operator, Object.fromEntries(changes))
    return {
      json: { success: true, unknownKeys },
      text: `set ${[...given.keys()].map(printable).join(', ')}`,
    }
  })
}

/** @throws UsageError before any prompt or connection */
function splitAll(words: readonly string[], allowsCustom: boolean): Map<string, string> {
  const given = new Map<string, string>()
  for (const word of words) {
    const end = word.indexOf('=')
    if (end < 1) throw new UsageError(`"${word}" is not key=value`)
    const key = word.slice(0, end)
    if (given.has(key)) throw new UsageError(`${key} is given more than once`)
    if (!isSettingKey(key)) refuseUnknown(key, allowsCustom)
    given.set(key, word.slice(end + 1))
  }
  const asked = [...given].filter(([, text]) => text === '-')
  if (asked.length > 1) {
    throw new UsageError(
      `standard input can hold only one value: ${asked.map(([key]) => key).join(', ')}`,
    )
  }
  for (const [key, text] of given) refuseShownSecret(key, text)
  return given
}

function refuseUnknown(key: string, allowsCustom: boolean): void {
  if (readOnlyKeys.has(key)) throw new UsageError(`${key} cannot be set`)
  const ours = meantSetting(key)
  if (ours !== null) throw new UsageError(`there is no setting "${key}"; use "${ours}"`)
  if (!allowsCustom) throw new UsageError(`there is no setting "${key}" (or add --custom)`)
}

/** Every user of the machine can read command lines. */
function refuseShownSecret(key: string, text: string): void {
  if (secretKeys.includes(key) && text !== '-' && text !== '') {
    throw new UsageError(`${key} is secret: use ${key}=- and pass it on standard input`)
  }
}

async function readText(key: string, text: string): Promise<string> {
  if (text !== '-') return text
  if (!secretKeys.includes(key)) return readValue(`${key}: `)
  const secret = await readSecret(`${key}: `)
  // What a password manager that failed passes on.
  if (secret === '') throw new CommandError(`nothing was entered: to clear it, set ${key}=`)
  return secret
}

/**
 * Takes texts literally, sizes with their unit, everything else as JSON; the setting's schema
 * refuses the rest.
 */
function parseValue(key: string, text: string): unknown {
  const setting: Setting<unknown> | null = isSettingKey(key) ? settingsTable[key] : null
  if (typeof setting?.default === 'string') return text
  if (setting?.isSize) return parseBytes(text) ?? text
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** Holds emails, or sends them again. A running service learns of it within 5 seconds. */
export function holdEmails(isHeld: boolean): Promise<Report> {
  return withApp({ bytes: false }, async ({ services }) => {
    await services.settings.update(operator, { [emailsHeldKey]: isHeld ? true : null })
    return {
      json: { emails_held: isHeld },
      text: isHeld ? 'emails are held' : 'emails are sent',
    }
  })
}
