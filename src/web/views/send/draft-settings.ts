// Settings of a share before it is sent, and their initial values.
import * as times from '../../lib/expiry.ts'
import { keep, readKept } from '../../lib/kept.ts'
import type { Limits } from '../../lib/limits.ts'
import type { Preferences } from '../../lib/preferences.ts'
import type { Share, ShareChange } from '../../lib/share.ts'
import { signal } from '../../lib/signals.ts'

/** Values of the fields. */
export interface DraftSettings {
  readonly name: string
  readonly message: string
  /** Null until the service's default is known. */
  readonly expiry: times.Expiry | times.Until | null
  /** Null for none. */
  readonly password: string | null
  /** A whole number as text; empty for no limit. */
  readonly maxDownloads: string
  readonly slug: string
  readonly recipients: string
  readonly audience: Share['audience']
  readonly recipientProof: Share['recipientProof']
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
  audience: 'anyone',
  recipientProof: 'none',
  notifyDownloads: false,
}
const keptKey = 'last-share'
/** Which of the last drafts had a password, which is kept nowhere. */
const protectedKey = 'protected-draft'
const protectedMax = 50
const readProtected = () => (readKept(protectedKey) ?? '').split(' ')

export const settings = signal(empty)
/** Fields that the user has edited: defaults leave them alone. */
const own = new Set<keyof DraftSettings>()
/** Choices of this visit. */
let chosenNow: Partial<DraftSettings> = {}

/** Whether a continued draft had a password that has not been entered again. */
export const isPasswordLost = () =>
  settings.value.password === '' && chosenNow.password === undefined

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
  const { name, message, slug, recipients, audience, recipientProof, notifyDownloads } = share
  const maxDownloads = String(share.max_downloads || '')
  const expiry = times.expiryOfDraft(share)
  // Empty, it must be set again before the share is sent.
  const password = readProtected().includes(share.id) ? '' : null
  const people = { recipients, audience, recipientProof }
  set({ name, message, slug, ...people, notifyDownloads, maxDownloads, expiry, password })
  if (name === '') own.delete('name')
}

export function resetSettings(): void {
  own.clear()
  chosenNow = {}
  settings.value = empty
}

/** Preferences of the account win over the last share, and that over the service. */
export function applyDefaults(limits: Limits, preferences: Preferences | null): void {
  const expiry = preferences && times.expiryOf(preferences)
  const found: Partial<DraftSettings> = {
    message: preferences?.message ?? '',
    expiry: times.allowedExpiry(expiry ?? lastExpiry(), limits),
    maxDownloads: String(preferences?.maxDownloads || ''),
  }
  const wanted = Object.entries(found).filter(([field]) => !isOwn(field as keyof DraftSettings))
  settings.value = { ...settings.value, ...Object.fromEntries(wanted) }
}

/**
 * Remembers the expiry of a new share for the next one. All other settings belong to one share:
 * title, message and recipients go with its files, its link must be unique, a limit is for its
 * recipients, and a reused password would open two shares.
 */
export function keepChosen(): void {
  const { expiry } = chosenNow
  // A day belongs to one share.
  if (expiry && !times.isDay(expiry)) keep(keptKey, expiry)
}

export function keepProtected(shareId: string): void {
  const kept = readProtected().filter((id) => id !== shareId)
  if (settings.value.password !== null) kept.push(shareId)
  keep(protectedKey, kept.slice(-protectedMax).join(' '))
}

/** Ignores invalid content. */
function lastExpiry(): times.Expiry | null {
  const kept = readKept(keptKey) ?? ''
  return /^\d{1,3} (Hours|Days|Weeks|Months)$/.test(kept) ? (kept as times.Expiry) : null
}

/** In the form of the API. */
export function changeOf(chosen: DraftSettings): ShareChange {
  const { name, expiry, password, maxDownloads, ...others } = chosen
  return {
    ...others,
    name: name.trim(),
    maxDownloads: Number(maxDownloads),
    ...(password === null ? {} : { password }),
    ...(expiry ? times.readExpiry(expiry) : {}),
  }
}
