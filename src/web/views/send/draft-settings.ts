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
const expiryKey = 'expiry'

export const settings = signal(empty)
/** Where they come from while nobody has said otherwise; null: from the service. */
export const source = signal<'preferences' | 'last' | null>(null)
/** What somebody has said something about: defaults leave it alone. */
const own = new Set<keyof DraftSettings>()

export const isOwn = (field: keyof DraftSettings) => own.has(field)

export function changeSettings(change: Partial<DraftSettings>): void {
  for (const field of Object.keys(change)) own.add(field as keyof DraftSettings)
  settings.value = { ...settings.value, ...change }
  if (!change.expiry) return
  if (source.value === 'last') source.value = null
  try {
    localStorage.setItem(expiryKey, change.expiry)
  } catch {
    // Next time it is the service's default again.
  }
}

/** Those of a draft that an earlier visit began. */
export function takeSettings(share: Share): void {
  const { name, message, slug, recipients, max_downloads: most } = share
  changeSettings({ name, message, slug, recipients, maxDownloads: most > 0 ? String(most) : '' })
  // Nobody chose it just now: it is not kept for the next share.
  own.add('expiry')
  settings.value = { ...settings.value, expiry: expiryOf(share) }
  if (name === '') own.delete('name')
}

export function resetSettings(): void {
  own.clear()
  source.value = null
  settings.value = empty
}

/** What the account has chosen goes before what its last share had, and that before the service. */
export function applyDefaults(limits: Limits, preferences: Preferences): void {
  const { message, maxDownloads } = preferences
  const chosen = expiryOf(preferences)
  const last = readLast()
  const next: Partial<DraftSettings> = {
    message: message ?? '',
    maxDownloads: maxDownloads ? String(maxDownloads) : '',
    expiry: allowedExpiry(chosen ?? last, limits),
  }
  const now: Record<string, unknown> = { ...settings.value }
  for (const [field, value] of Object.entries(next)) {
    if (!isOwn(field as keyof DraftSettings)) now[field] = value
  }
  settings.value = now as unknown as DraftSettings
  if (chosen || maxDownloads || message) source.value = 'preferences'
  else if (last && last === next.expiry && !isOwn('expiry')) source.value = 'last'
}

function readLast(): Expiry | null {
  try {
    return localStorage.getItem(expiryKey) as Expiry | null
  } catch {
    // Nothing is kept here.
    return null
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
