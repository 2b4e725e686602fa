import { languages } from '../../lib/languages.ts'

/** All settings as in the API, or their defaults. */
export type Values = Readonly<Record<string, unknown>>

/**
 * How a setting is shown and edited. Sizes and times are edited in common units; a `span` is two
 * settings, `<key>Val` and `<key>Unit`.
 */
export type Setting = {
  readonly key: string
  /** Shown only while another setting has this value. */
  readonly onlyFor?: readonly [key: string, value: string]
} & (
  | { readonly kind: 'text' | 'url' | 'lines' | 'password'; readonly max: number }
  | {
      readonly kind: 'number'
      readonly min: number
      /** The smallest number except 0, which means none. */
      readonly least?: number
      readonly max: number
      readonly scale?: number
    }
  | { readonly kind: 'choice'; readonly options: readonly string[] }
  | { readonly kind: 'bytes' | 'span' | 'check' | 'types' | 'list' | 'color' | 'image' }
)

export const sections = {
  general: [
    { key: 'welcomeText', kind: 'lines', max: 2000 },
    { key: 'homePage', kind: 'choice', options: ['signIn', 'welcome', 'redirect'] },
    { key: 'homeText', kind: 'lines', max: 2000, onlyFor: ['homePage', 'welcome'] },
    { key: 'homeRedirect', kind: 'url', max: 2000, onlyFor: ['homePage', 'redirect'] },
    { key: 'language', kind: 'choice', options: languages },
    { key: 'timeZone', kind: 'text', max: 100 },
    { key: 'imprintUrl', kind: 'url', max: 2000 },
    { key: 'privacyUrl', kind: 'url', max: 2000 },
    { key: 'reportUrl', kind: 'url', max: 2000 },
    { key: 'linkPreviews', kind: 'check' },
    { key: 'shownAddresses', kind: 'choice', options: ['full', 'network', 'hidden'] },
  ],
  branding: [
    { key: 'appName', kind: 'text', max: 60 },
    { key: 'logo', kind: 'image' },
    { key: 'logoDark', kind: 'image' },
    { key: 'accentColor', kind: 'color' },
    { key: 'groundColor', kind: 'color' },
    { key: 'groundPicture', kind: 'image' },
    { key: 'cornerRadius', kind: 'choice', options: ['sharp', 'soft', 'round'] },
  ],
  limits: [
    { key: 'maxFileSize', kind: 'bytes' },
    { key: 'maxShareSize', kind: 'bytes' },
    { key: 'userQuota', kind: 'bytes' },
    { key: 'defaultExpiration', kind: 'span' },
    { key: 'maxExpiration', kind: 'span' },
    { key: 'maxChunkSize', kind: 'number', min: 1, max: 1024, scale: 2 ** 20 },
    { key: 'linkIdLength', kind: 'number', min: 22, max: 50 },
  ],
  files: [
    { key: 'startRightAway', kind: 'check' },
    { key: 'skipSystemFiles', kind: 'check' },
    { key: 'blockedExtensions', kind: 'types' },
    { key: 'blockedExtensionsGuests', kind: 'types' },
  ],
  mail: [
    { key: 'smtpHost', kind: 'text', max: 255 },
    { key: 'smtpSecurity', kind: 'choice', options: ['starttls', 'tls', 'none'] },
    { key: 'smtpPort', kind: 'number', min: 1, max: 65_535 },
    { key: 'smtpUser', kind: 'text', max: 320 },
    { key: 'smtpPassword', kind: 'password', max: 500 },
    { key: 'smtpFrom', kind: 'text', max: 320 },
    { key: 'notifyAdministrators', kind: 'check' },
  ],
  'sign-in': [
    { key: 'passwordSignIn', kind: 'check' },
    { key: 'require2FA', kind: 'check' },
    { key: 'signUp', kind: 'choice', options: ['off', 'open', 'approval'] },
    { key: 'signUpDomains', kind: 'list' },
    { key: 'proxyAccounts', kind: 'check' },
    { key: 'sessionLifeDays', kind: 'number', min: 1, max: 365 },
    { key: 'sessionIdleDays', kind: 'number', min: 1, max: 365 },
  ],
  storage: [
    { key: 'diskFloor', kind: 'bytes' },
    { key: 'draftLifeDays', kind: 'number', min: 1, max: 365 },
    { key: 'auditDays', kind: 'number', min: 0, least: 30, max: 36_500 },
    { key: 'verifyDays', kind: 'number', min: 0, max: 3650 },
    { key: 'zipCompression', kind: 'check' },
  ],
} as const satisfies Record<string, readonly Setting[]>

export type Section = keyof typeof sections
export const sectionNames = Object.keys(sections) as Section[]

export function isShown({ onlyFor }: Setting, values: Values): boolean {
  return !onlyFor || values[onlyFor[0]] === onlyFor[1]
}

/** The setting's keys in the API. */
export function keysOf({ key, kind }: Setting): string[] {
  return kind === 'span' ? [`${key}Val`, `${key}Unit`] : [key]
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Whether an entry differs from `values`. */
export const isNew =
  (values: Values) =>
  ([key, value]: [string, Values[string]]) =>
    !isSame(value, values[key])
