// Names of secret values. Custom values are stored and shown as they are.
import { settingKeys, settingsTable } from './table.ts'

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

const secretKeys = settingKeys.filter((key) => settingsTable[key].isSecret)

/** Why a secret is refused as a custom value, and what to do. */
export function secretProblem(name: string): string {
  const kept = secretKeys.join(', ')
  return `${name} looks like a secret, and custom values are shown: secrets belong in ${kept}`
}
