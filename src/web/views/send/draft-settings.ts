// What is said about a share before it is sent, and what it begins with.
import { signal } from '@preact/signals'
import { allowedExpiry, expiryOf, readExpiry, type Expiry } from '../../lib/expiry.ts'
import type { Limits } from '../../lib/limits.ts'
import type { Preferences } from '../../lib/preferences.ts'
import type { Share, ShareChange } from '../../lib/share.ts'

/** As the fields hold it. */
export interface DraftSettings {
  readonly name: string
  readonly message: string
  /** Null until the service has said its default. */
  readonly expiry: Expiry | null
  /** Null: without one. */
  readonly password: string | null
  /** Whole number as text; empty: no limit. */
  readonly maxDownloads: string
  readonly slug: string
  readonly recipients: string
}

const empty: DraftSettings = {
  name: '',
  message: '',
  expiry: null,
  password: null,
  maxDownloads: '',
  slug: '',
  recipients: '',
}
/** What accounts, and the share before, may say something about. */
export const begun = ['message', 'expiry', 'maxDownloads'] as const
type Begun = (typeof begun)[number]

/**
 * What the next share begins with again. All else belongs to one share: its title, message and
 * recipients go with its files, its link cannot be another one's, and a password used twice opens
 * two.
 */
interface Kept {
  readonly expiry: Expiry | null
  readonly maxDownloads: string
}
const keptKey = 'last-share'

export const settings = signal(empty)
/** Where what a field begins with comes from; absent: from the service. */
export const origins = signal<Readonly<Partial<Record<Begun, 'preferences' | 'last'>>>>({})
/** What somebody has said something about: defaults leave it alone. */
const own = new Set<keyof DraftSettings>()
/** What was said about it in this visit. */
let chosenNow: Partial<DraftSettings> = {}

export const isOwn = (field: keyof DraftSettings) => own.has(field)

export function changeSettings(change: Partial<DraftSettings>): void {
  chosenNow = { ...chosenNow, ...change }
  set(change)
}

function set(change: Partial<DraftSettings>): void {
  for (const field of Object.keys(change)) own.add(field as keyof DraftSettings)
  settings.value = { ...settings.value, ...change }
}

/** Those of a draft that an earlier visit began. */
export function takeSettings(share: Share): void {
  const { name, message, slug, recipients, max_downloads: most } = share
  const maxDownloads = most > 0 ? String(most) : ''
  set({ name, message, slug, recipients, maxDownloads, expiry: expiryOf(share) })
  origins.value = {}
  if (name === '') own.delete('name')
}

export function resetSettings(): void {
  own.clear()
  chosenNow = {}
  origins.value = {}
  settings.value = empty
}

/** What the account has chosen goes before what its last share had, and that before the service. */
export function applyDefaults(limits: Limits, preferences: Preferences): void {
  const { message, maxDownloads } = preferences
  const last = readKept()
  const found = {
    message: [message, ''],
    expiry: [expiryOf(preferences), last.expiry],
    maxDownloads: [String(maxDownloads || ''), last.maxDownloads],
  }
  const now: Record<string, unknown> = { ...settings.value }
  const from: Record<string, 'preferences' | 'last'> = {}
  for (const field of begun.filter((one) => !isOwn(one))) {
    const [mine, before] = found[field]
    const wanted = mine || before || ''
    now[field] = field === 'expiry' ? allowedExpiry(wanted as Expiry, limits) : wanted
    if (wanted && now[field] === wanted) from[field] = mine ? 'preferences' : 'last'
  }
  settings.value = now as unknown as DraftSettings
  origins.value = from
}

/** Keeps what was chosen for a share that is made, for the next one. */
export function keepChosen(): void {
  const { expiry, maxDownloads } = { ...readKept(), ...chosenNow }
  try {
    localStorage.setItem(keptKey, JSON.stringify({ expiry, maxDownloads }))
  } catch {
    // Next time it is the service's default again.
  }
}

/** Whatever else stands there is as good as nothing. */
function readKept(): Kept {
  let kept: Record<string, unknown> = {}
  try {
    kept = Object(JSON.parse(localStorage.getItem(keptKey) ?? ''))
  } catch {
    // Nothing is kept here.
  }
  const find = (field: keyof Kept, pattern: RegExp) => {
    const value = kept[field]
    return typeof value === 'string' && pattern.test(value) ? value : ''
  }
  return {
    expiry: (find('expiry', /^\d{1,3} (Hours|Days|Weeks|Months)$/) || null) as Expiry | null,
    maxDownloads: find('maxDownloads', /^[1-9]\d{0,8}$/),
  }
}

/** As the service is told. */
export function changeOf(chosen: DraftSettings): ShareChange {
  const { name, message, expiry, password, maxDownloads, slug, recipients } = chosen
  return {
    name: name.trim(),
    message,
    slug,
    recipients,
    maxDownloads: Number(maxDownloads),
    ...(password === null ? {} : { password }),
    ...(expiry ? readExpiry(expiry) : {}),
  }
}
