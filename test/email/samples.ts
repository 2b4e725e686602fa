import type { TemplateData } from '../../src/email/templates.ts'

const at = new Date('2026-12-24T18:00:00Z')
const url = 'https://files.example.org/s/abc'
const sender = { name: 'Ann', address: 'ann@example.org' }
const link = { sender, name: 'Holiday', url, fileCount: 3, size: 2_345_678, expiresAt: at }
const guest = { guestName: 'Bo', guestEmail: 'bo@example.org', note: 'Here they are.', url }
const firstFiles = [{ name: 'beach.mp4', size: 1000 }]
const delivery = { kind: 'delivery', name: 'Drafts', ...guest, fileCount: 3, size: 9000 } as const
const several = { kind: 'deliveries', name: 'Drafts', count: 3, fileCount: 9, size: 9000 } as const
const damaged = { kind: 'damaged_file', fileName: 'beach.mp4', name: 'Holiday', url } as const
const failures = { at, ip: '192.0.2.7' }

const notices = [
  ...(['account_deleted', 'api_token_created', 'email_changed', 'password_changed'] as const),
  ...(['recovery_codes_renewed', 'second_factor_enabled', 'second_factor_disabled'] as const),
  ...(['sessions_ended', 'sign_in_failures', 'code_failures'] as const),
]

/** One email of each kind, with sample values. */
export const sampleEmails: TemplateData[] = [
  { kind: 'share', ...link, message: 'See you!', isProtected: true },
  { kind: 'share', ...link, name: '', message: '', isProtected: false },
  { kind: 'added_files', ...link, isProtected: false },
  { kind: 'drop_off', ...link, sizeMax: 5_000_000, isProtected: false },
  { ...delivery, firstFiles },
  { ...several, first: [{ ...delivery, firstFiles }] },
  { ...damaged, isDelivery: false },
  { ...damaged, isDelivery: true, others: 2 },
  { kind: 'invitation', url, lifeDays: 7 },
  { kind: 'password_reset', url, lifeMinutes: 60 },
  ...notices.map((kind) => ({ kind, ...failures })),
  { kind: 'second_factor_reset', at, ip: null },
  { kind: 'link_failures', ...failures, isRequest: true, name: 'Drafts' },
  { kind: 'test' },
]
