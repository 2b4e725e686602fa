import type { TemplateData } from '../../src/email/templates.ts'
import type { Deployment } from '../../src/email/wording.ts'

const at = new Date('2026-12-24T18:00:00Z')
export const baseUrl = 'https://files.example.org'
const url = `${baseUrl}/s/abc`
const sender = { userId: 1, name: 'Ann Öz', address: 'ann@example.org' }
const firstFiles = [
  { name: 'beach.mp4', size: 2_300_000_000 },
  { name: 'day 1/group photo.jpg', size: 4_200_000 },
  { name: 'list.txt', size: 678 },
]
const files = { fileCount: 3, size: 2_345_678, firstFiles }
const link = { sender, name: 'Holiday', url, ...files, expiresAt: at, isProtected: false }
const guest = { guestName: 'Bo', guestEmail: 'bo@example.org', note: 'Here they are.', url }
const delivery = { kind: 'delivery', name: 'Drafts', ...guest, ...files } as const
const several = { kind: 'deliveries', name: 'Drafts', count: 3, fileCount: 9, size: 9000 } as const
const damaged = { kind: 'damaged_file', fileName: 'beach.mp4', name: 'Holiday', url } as const
const failures = { at, ip: '192.0.2.7' }

const notices = [
  ...(['account_deleted', 'api_token_created', 'email_changed', 'password_changed'] as const),
  ...(['recovery_codes_renewed', 'second_factor_enabled', 'second_factor_disabled'] as const),
  ...(['passkey_added', 'passkey_refused', 'passkey_removed', 'new_device'] as const),
  ...(['identity_linked', 'identity_unlinked'] as const),
  ...(['sessions_ended', 'sign_in_failures', 'code_failures'] as const),
]

export const deployment: Deployment = {
  appName: 'Transfer',
  accentColor: '#1d5fc4',
  groundColor: '',
  logo: '',
  baseUrl,
  language: 'en',
  timeZone: 'UTC',
}

export const sampleShare: Extract<TemplateData, { kind: 'share' }> = {
  kind: 'share',
  ...link,
  message: 'See you!',
  isMessageHidden: false,
  maxDownloads: 0,
}

export const sampleEmails: readonly TemplateData[] = [
  { ...sampleShare, maxDownloads: 10, fileCount: 15 },
  { ...sampleShare, isProtected: true, firstFiles: [] },
  { ...sampleShare, name: '', message: '', maxDownloads: 1, expiresAt: null },
  { kind: 'added_files', ...link },
  { kind: 'drop_off', ...link, instructions: 'Scans, please.', sizeMax: 5_000_000 },
  { kind: 'drop_off', ...link, name: '', instructions: '', sizeMax: 0, expiresAt: null },
  delivery,
  { ...delivery, name: '', guestName: '', guestEmail: '' },
  { ...several, first: [{ ...delivery, firstFiles }] },
  { ...damaged, others: 0, isDelivery: false },
  { ...damaged, others: 2, isDelivery: true },
  { kind: 'downloads', shareId: 'abc', name: 'Holiday', people: 3, latest: at },
  { kind: 'downloads', shareId: 'abc', name: '', people: 1, latest: at },
  { kind: 'invitation', url, lifeDays: 7 },
  { kind: 'password_reset', url, lifeMinutes: 60 },
  { kind: 'sign_up', url, lifeHours: 24 },
  { kind: 'sign_up_known' },
  { kind: 'sign_up_approved' },
  { kind: 'sign_up_declined' },
  { kind: 'sign_ups_waiting', count: 3 },
  ...notices.map((kind) => ({ kind, ...failures })),
  { kind: 'second_factor_reset', at, ip: null },
  { kind: 'link_failures', ...failures, isRequest: true, name: 'Drafts' },
  {
    kind: 'problems',
    problems: [
      { kind: 'disk', disk: 'files', isFull: true, free: 400_000_000, floor: 536_870_912 },
      { kind: 'disk', disk: 'database', isFull: false, free: 900_000_000, floor: 536_870_912 },
      { kind: 'emails', count: 2 },
      { kind: 'jobs', names: ['send mail', 'verify'] },
      { kind: 'damage', files: 5 },
    ],
  },
  { kind: 'problems', problems: [{ kind: 'damage', files: 1 }] },
  { kind: 'updated', version: '1.2.0' },
  { kind: 'test' },
]

/** The same emails with one text for every name and message. */
export function emailsWith(words: string): TemplateData[] {
  const names = ['name', 'message', 'note', 'guestName', 'fileName']
  const replace = (value: unknown, key: string): unknown => {
    if (names.includes(key)) return words
    if (Array.isArray(value)) return value.map((item) => replace(item, ''))
    if (typeof value !== 'object' || value === null || value instanceof Date) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, replace(inner, name)]),
    )
  }
  return sampleEmails.map((email) => replace(email, '') as TemplateData)
}
