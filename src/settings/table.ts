import * as v from 'valibot'
import { addressPrivacies, type AddressPrivacy } from '../http/client-ip.ts'
import { text, wholeNumber } from '../http/schema.ts'
import { languages, type Language } from '../lib/language.ts'
import { publicIdLengthMin } from '../lib/random-id.ts'
import { branding } from './branding.ts'
import {
  emailDomains,
  extensions,
  host,
  sender,
  size,
  timeZoneOrNone,
  webAddress,
} from './schemas.ts'
import { setting, type Setting } from './setting.ts'

/** Replaces a secret that is set; sent back it means unchanged. */
export const secretMask = '********'

const mebibyte = 1024 * 1024

const signUps = ['off', 'open', 'approval'] as const
type SignUpKind = (typeof signUps)[number]

const smtpSecurities = ['tls', 'starttls', 'none'] as const
type SmtpSecurity = (typeof smtpSecurities)[number]

export const expirationUnits = ['Hours', 'Days', 'Weeks', 'Months'] as const
export type ExpirationUnit = (typeof expirationUnits)[number]
const unit = v.picklist(expirationUnits)
/** Maximum number of units in the life of a link. */
export const expirationValMax = 10_000

/** With fewer days an administrator could remove their traces from the audit log. */
const auditDaysMin = 30
const auditDays = v.pipe(
  wholeNumber(0, 36_500),
  v.check((days) => days === 0 || days >= auditDaysMin, `must be 0 or at least ${auditDaysMin}`),
)

/** The one table of settings. Administrators change them while the service runs. */
export const settingsTable = {
  ...branding,
  language: setting<Language>({
    default: 'en',
    schema: v.picklist(languages),
    doc:
      'Language of emails and link previews for people who have not chosen another: ' +
      `${languages.slice(0, -1).join(', ')} or ${languages.at(-1)}.`,
  }),
  timeZone: setting({
    default: '',
    schema: v.pipe(text(0, 100), v.trim(), timeZoneOrNone),
    doc:
      'Time zone for emails and pages without JavaScript, such as Europe/Berlin; empty for ' +
      'the zone of the server.',
  }),
  imprintUrl: setting({
    default: '',
    schema: webAddress,
    doc: 'URL of the imprint, linked on every page.',
    isPublic: true,
  }),
  privacyUrl: setting({
    default: '',
    schema: webAddress,
    doc: 'URL of the privacy notice, linked on every page.',
    isPublic: true,
  }),
  reportUrl: setting({
    default: '',
    schema: v.pipe(
      text(0, 2000),
      v.check(
        (value) => value === '' || /^(https:\/\/|mailto:).+/.test(value),
        'must be empty or begin with https:// or mailto:',
      ),
    ),
    doc: 'Where recipients report a share, as https: or mailto:; linked on its page unless empty.',
  }),
  linkPreviews: setting({
    default: true,
    schema: v.boolean(),
    doc: 'Whether messengers show name, size and sender of a share without a password.',
  }),
  maxChunkSize: setting({
    default: 100 * mebibyte,
    schema: wholeNumber(mebibyte, 1024 * mebibyte),
    doc: 'Largest chunk in bytes, 1 MiB to 1 GiB.',
    isSize: true,
  }),
  maxFileSize: setting({
    default: 0,
    schema: size,
    doc: 'Largest file in bytes; 0 for no limit.',
    isSize: true,
  }),
  maxShareSize: setting({
    default: 0,
    schema: size,
    doc: 'Largest share in bytes, the total of its files; 0 for no limit.',
    isSize: true,
  }),
  skipSystemFiles: setting({
    default: true,
    schema: v.boolean(),
    doc: 'Leave `.DS_Store`, `Thumbs.db` and `._*` out of tar archives; the response lists them.',
  }),
  userQuota: setting({
    default: 0,
    schema: size,
    doc: 'Storage quota per account in bytes of files; 0 for no limit.',
    isSize: true,
  }),
  diskFloor: setting({
    default: 0,
    schema: size,
    doc: 'Bytes to keep free on the disk; never less than 512 MiB and 3 % of it.',
    isSize: true,
  }),
  defaultExpirationVal: setting({
    default: 7,
    schema: wholeNumber(0, expirationValMax),
    doc: 'When links expire if the sender chooses nothing; 0 for never.',
  }),
  defaultExpirationUnit: setting<ExpirationUnit>({
    default: 'Days',
    schema: unit,
    doc: 'Unit of defaultExpirationVal: Hours, Days, Weeks or Months.',
  }),
  maxExpirationVal: setting({
    default: 0,
    schema: wholeNumber(0, expirationValMax),
    doc: 'Longest time until links expire; 0 for no limit. With a limit, every link must expire.',
  }),
  maxExpirationUnit: setting<ExpirationUnit>({
    default: 'Days',
    schema: unit,
    doc: 'Unit of maxExpirationVal.',
  }),
  linkIdLength: setting({
    default: publicIdLengthMin,
    schema: wholeNumber(publicIdLengthMin, 50),
    doc: 'Characters in the random part of a link; 22 are 128 random bits.',
  }),
  blockedExtensions: setting<string[]>({
    default: [],
    schema: extensions,
    doc: 'File extensions that account holders may not send.',
    isGuarded: true,
  }),
  blockedExtensionsGuests: setting<string[]>({
    default: [],
    schema: extensions,
    doc: 'File extensions that guests may not send.',
    isGuarded: true,
  }),
  draftLifeDays: setting({
    default: 7,
    schema: wholeNumber(1, 365),
    doc: 'Days after their last chunk when unfinished uploads are removed.',
  }),
  startRightAway: setting({
    default: true,
    schema: v.boolean(),
    doc: 'Whether the web UI starts uploads as soon as files are chosen; accounts can override it.',
  }),
  zipCompression: setting({
    default: false,
    schema: v.boolean(),
    doc: 'Whether ZIP downloads up to 10,000 files are compressed: smaller, slower, not resumable.',
  }),
  require2FA: setting({
    default: false,
    schema: v.boolean(),
    doc: 'Whether every account needs a second factor; accounts without one can only set one up.',
    isGuarded: true,
  }),
  passwordSignIn: setting({
    default: true,
    schema: v.boolean(),
    doc: 'Whether people can sign in with a password; otherwise only with a provider or a passkey.',
    isGuarded: true,
  }),
  signUp: setting<SignUpKind>({
    default: 'off',
    schema: v.picklist(signUps),
    doc:
      'Whether people can create an account themselves: off, open, or approval (an administrator ' +
      'approves each one). Needs email and passwordSignIn.',
    isGuarded: true,
  }),
  signUpDomains: setting<string[]>({
    default: [],
    schema: emailDomains,
    doc: 'Domains of email addresses that can sign up; empty for all.',
    isGuarded: true,
  }),
  proxyAccounts: setting({
    default: false,
    schema: v.boolean(),
    doc:
      'Whether users that a trusted proxy signs in (PROXY_USER_HEADER) get an account at their ' +
      'first sign-in.',
    isGuarded: true,
  }),
  sessionLifeDays: setting({
    default: 30,
    schema: wholeNumber(1, 365),
    doc: 'Days after which a session ends, even if it is in use.',
    isGuarded: true,
  }),
  sessionIdleDays: setting({
    default: 7,
    schema: wholeNumber(1, 365),
    doc: 'Days after which an unused session ends.',
    isGuarded: true,
  }),
  auditDays: setting({
    default: 365,
    schema: auditDays,
    doc: 'Days after which rows of the audit log are removed, at least 30; 0 for never.',
    isGuarded: true,
  }),
  verifyDays: setting({
    default: 30,
    schema: wholeNumber(0, 3650),
    doc: 'Days between checks of all stored bytes (`transfer verify`); 0 for never.',
  }),
  shownAddresses: setting<AddressPrivacy>({
    default: 'full',
    schema: v.picklist(addressPrivacies),
    doc:
      'How the audit log and the activity of shares show IP addresses: full, network ' +
      '(192.0.2.0/24, 2001:db8:1::/48) or hidden.',
    isGuarded: true,
  }),
  notifyAdministrators: setting({
    default: true,
    schema: v.boolean(),
    doc:
      'Whether administrators get an email about full disks, failed emails and jobs, damaged ' +
      'files and updates: at most once a day each.',
  }),
  smtpHost: setting({
    default: '',
    schema: host,
    doc: 'SMTP server; empty to turn email off.',
    isGuarded: true,
  }),
  smtpPort: setting({
    default: 587,
    schema: wholeNumber(1, 65_535),
    doc: 'Port of the SMTP server: 587 with starttls, 465 with tls.',
    isGuarded: true,
  }),
  smtpSecurity: setting<SmtpSecurity>({
    default: 'starttls',
    schema: v.picklist(smtpSecurities),
    doc: 'tls (from the first byte), starttls (required) or none (email can be read in transit).',
    isGuarded: true,
  }),
  smtpUser: setting({
    default: '',
    schema: text(0, 320),
    doc: 'User name at the SMTP server; empty for none.',
    isGuarded: true,
  }),
  smtpPassword: setting({
    default: '',
    schema: text(0, 500),
    doc: 'Password at the SMTP server: stored encrypted, never shown again.',
    isSecret: true,
    isGuarded: true,
  }),
  smtpFrom: setting({
    default: '',
    schema: sender,
    doc:
      'Sender address: files@example.org, or Files <files@example.org>; empty to turn email ' +
      'off.',
    isGuarded: true,
  }),
}

type Table = typeof settingsTable
export type SettingKey = keyof Table
/** Every setting's value. */
export type SettingValues = {
  readonly [Key in SettingKey]: Table[Key] extends Setting<infer T> ? T : never
}

export const settingKeys = Object.keys(settingsTable) as SettingKey[]

export const secretKeys: readonly string[] = settingKeys.filter(
  (key) => settingsTable[key].isSecret,
)

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(settingsTable, key)
}

export const defaultSettings = Object.fromEntries(
  settingKeys.map((key) => [key, settingsTable[key].default]),
) as unknown as SettingValues
