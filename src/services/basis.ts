// Services that all modules use, and emails.
import { FailureNotices } from '../accounts/notices/failure-notices.ts'
import { Notices } from '../accounts/notices/notices.ts'
import { listLocales } from '../accounts/preferences/sql.ts'
import { Passwords, type HashCost } from '../accounts/passwords/passwords.ts'
import { SecondFactor } from '../accounts/second-factor/second-factor.ts'
import type { Keys } from '../accounts/sign-in/keys.ts'
import { Tokens } from '../accounts/sign-in/tokens.ts'
import { Audit } from '../audit/audit.ts'
import type { StorageRoot } from '../blobs/storage-root.ts'
import { budgetsOf } from '../config/budgets.ts'
import type { Config } from '../config/load.ts'
import type { Database } from '../database/connect.ts'
import type { DatabaseDisk } from '../database/database-disk.ts'
import { Emails } from '../email/emails.ts'
import { embeddableLogo } from '../email/logo.ts'
import { greetingName, type SmtpServer } from '../email/smtp.ts'
import { Cookies } from '../http/cookies.ts'
import { parseSender } from '../lib/email-address.ts'
import { ClockTrust } from '../jobs/clock-trust.ts'
import { Jobs, type TakeJob } from '../jobs/jobs.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { version } from '../lib/package-root.ts'
import { DeliveryEmails } from '../reverse-shares/delivery-emails.ts'
import { Settings } from '../settings/settings.ts'
import { RecipientEmails } from '../shares/recipients/recipient-emails.ts'
import type { LinkedReverseShare } from '../reverse-shares/sql.ts'
import type { LinkedShare } from '../shares/sql.ts'
import { createLimiters } from './limiters.ts'

/** The process of the service, and its options. */
export interface Surroundings {
  readonly config: Config
  readonly clock: Clock
  readonly log: Log
  readonly database: Database
  /** Null when the service does not run its own database. */
  readonly databaseDisk: DatabaseDisk | null
  readonly root: StorageRoot
  readonly keys: Keys
  /** The options file if it has secrets that every user of the machine can read. */
  readonly publicOptionsFile?: string | null
  /** Id of this process for others on the same database. */
  readonly processId: string
  readonly isAlive: (processId: string) => Promise<boolean>
  readonly takeJob: TakeJob
  /** Replaces the usual cost of password hashes, in tests. */
  readonly hashCost?: HashCost
}

export type Basis = ReturnType<typeof createBasis>

export function createBasis(surroundings: Surroundings) {
  const { config, database, clock, log, keys, takeJob, hashCost } = surroundings
  const daysKept = () => settings.values.auditDays
  const shownAddresses = () => settings.values.shownAddresses
  const audit = new Audit({ database, clock, daysKept, shownAddresses })
  const { baseUrl } = config
  const { hashesMax } = budgetsOf(config.memoryLimit)
  const settings = new Settings({ database, audit, clock, version, baseUrl, sealer: keys })
  const clockTrust = new ClockTrust({ database, clock, log })
  return {
    audit,
    settings,
    clockTrust,
    limiters: createLimiters(config, clock),
    jobs: new Jobs(log, clock, takeJob, clockTrust),
    cookies: new Cookies({ baseUrl, tag: keys.mark('name cookies', baseUrl).slice(0, 8) }),
    tokens: new Tokens(keys, clock),
    passwords: new Passwords({ appName: () => settings.values.appName, hashesMax, cost: hashCost }),
    secondFactor: new SecondFactor(keys, clock, audit),
  }
}

export type EmailServices = ReturnType<typeof createEmails>

export function createEmails(surroundings: Surroundings, { audit, settings }: Basis) {
  const { config, database, clock, log, keys, processId, isAlive } = surroundings
  const { baseUrl } = config
  const shownAddresses = () => settings.values.shownAddresses
  const emails = new Emails({
    database,
    audit,
    clock,
    log,
    sealer: keys,
    processId,
    isAlive,
    server: () => smtpServer(settings, baseUrl),
    isHeld: () => settings.areEmailsHeld,
    logo: () => embeddableLogo(settings.values.logo),
    deployment: () => ({ ...settings.values, baseUrl }),
    localesOf: listLocales,
  })
  const shareUrl = ({ id, slug }: LinkedShare) => `${baseUrl}/s/${slug ?? id}`
  const reverseShareUrl = ({ id, slug }: LinkedReverseShare) => `${baseUrl}/r/${slug ?? id}`
  const deliveryUrl = (reverseId: string, deliveryId: string) =>
    `${baseUrl}/requests/${reverseId}?delivery=${deliveryId}`
  return {
    emails,
    shareUrl,
    reverseShareUrl,
    recipientEmails: new RecipientEmails({ emails, log, shareUrl }),
    deliveryEmails: new DeliveryEmails({ emails, reverseShareUrl, deliveryUrl }),
    notices: new Notices({ emails, clock, shownAddresses }),
    failureNotices: new FailureNotices({ database, emails, clock, log, shownAddresses }),
  }
}

/** The SMTP server in the settings; null while its host or the sender is missing. */
function smtpServer(settings: Settings, baseUrl: string): SmtpServer | null {
  const { smtpHost, smtpPort, smtpSecurity, smtpUser, smtpFrom } = settings.values
  if (smtpHost === '' || smtpFrom === '') return null
  return {
    host: smtpHost,
    port: smtpPort,
    security: smtpSecurity,
    user: smtpUser,
    password: settings.secret('smtpPassword'),
    from: parseSender(smtpFrom),
    ownName: greetingName(baseUrl),
  }
}
