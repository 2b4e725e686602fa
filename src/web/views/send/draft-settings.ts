// Settings of a share before it is sent, and their initial values.
import { signal } from '@preact/signals'
import {
  allowedExpiry,
  expiryOf,
  expiryOfDraft,
  isDay,
  readExpiry,
  type Expiry,
  type Until,
} from '../../lib/expiry.ts'
import type { Limits } from '../../lib/limits.ts'
import type { Preferences } from '../../lib/preferences.ts'
import type { Share, ShareChange } from '../../lib/share.ts'

/** Values of the fields. */
export interface DraftSettings {
  readonly name: string
  readonly message: string
  /** Null until the service's default is known. */
  readonly expiry: Expiry | Until | null
  /** Null for none. */
  readonly password: string | null
  /** A whole number as text; empty for no limit. */
  readonly maxDownloads: string
  readonly slug: string
  readonly recipients: string
  readonly notifyDownloads: boolean
}

const empty: DraftSettings = {
  name: '',
  message: '',
  expiry: null,
  password: null,
  maxDownloads: '',
  slug: '',
  recipients: '',
  notifyDownloads: false,
}
/** Fields with an initial value from the account or the previous share. */
export const begun = ['message', 'expiry', 'maxDownloads'] as const
type Begun = (typeof begun)[number]

/**
 * Settings that the next share reuses. All others belong to one share: title, message and
 * recipients go with its files, its link must be unique, and a reused password would open two
 * shares.
 */
interface Kept {
  readonly expiry: Expiry | null
  readonly maxDownloads: string
}
const keptKey = 'last-share'

export const settings = signal(empty)
/** Where a field's initial value comes from; absent for the service. */
export const origins = signal<Readonly<Partial<Record<Begun, 'preferences' | 'last'>>>>({})
/** Fields that the user has edited: defaults leave them alone. */
const own = new Set<keyof DraftSettings>()
/** Choices of this visit. */
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

/** Takes the settings of a draft from an earlier visit. */
export function takeSettings(share: Share): void {
  const { name, message, slug, recipients, notifyDownloads, max_downloads: most } = share
  const maxDownloads = most > 0 ? String(most) : ''
  const expiry = expiryOfDraft(share)
  set({ name, message, slug, recipients, notifyDownloads, maxDownloads, expiry })
  origins.value = {}
  if (name === '') own.delete('name')
}

export function resetSettings(): void {
  own.clear()
  chosenNow = {}
  origins.value = {}
  settings.value = empty
}

/** Preferences of the account win over the last share, and that over the service. */
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

/** Remembers the choices of a new share for the next one. */
export function keepChosen(): void {
  const { expiry, maxDownloads } = { ...readKept(), ...chosenNow }
  try {
    // A day belongs to one share.
    const kept = expiry && isDay(expiry) ? readKept().expiry : expiry
    localStorage.setItem(keptKey, JSON.stringify({ expiry: kept, maxDownloads }))
  } catch {
    // Without storage the service's default applies again.
  }
}

/** Ignores invalid content. */
function readKept(): Kept {
  let kept: Record<string, unknown> = {}
  try {
    kept = Object(JSON.parse(localStorage.getItem(keptKey) ?? ''))
  } catch {
    // No storage.
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

/** In the form of the API. */
export function changeOf(chosen: DraftSettings): ShareChange {
  const { name, message, expiry, password, maxDownloads, slug, recipients, notifyDownloads } =
    chosen
  return {
    name: name.trim(),
    message,
    slug,
    recipients,
    notifyDownloads,
    maxDownloads: Number(maxDownloads),
    ...(password === null ? {} : { password }),
    ...(expiry ? readExpiry(expiry) : {}),
  }
}
