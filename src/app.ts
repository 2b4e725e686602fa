import path from 'node:path'
import { Status } from './admin/status.ts'
import { Audit } from './audit/audit.ts'
import { Account } from './accounts/own-account/account.ts'
import { ApiTokens } from './accounts/api-tokens/api-tokens.ts'
import { Auth } from './accounts/sign-in/sign-in.ts'
import { AccountLinks } from './accounts/invitations/account-links.ts'
import { PasswordReset } from './accounts/reset/password-reset.ts'
import { deleteResetsOf } from './accounts/reset/sql.ts'
import { Credentials } from './accounts/sign-in/credentials.ts'
import { AccountAttempts } from './accounts/attempts/account-attempts.ts'
import { LinkAttempts } from './shares/link-attempts.ts'
import { LinkMisses } from './shares/link-misses.ts'
import type { Keys } from './accounts/sign-in/keys.ts'
import { KnownClients } from './accounts/sign-in/known-clients.ts'
import { Passwords } from './accounts/passwords/passwords.ts'
import { Enrolment } from './accounts/second-factor/enrolment.ts'
import { SecondFactor } from './accounts/second-factor/second-factor.ts'
import { Setup } from './accounts/sign-in/setup.ts'
import { Tokens } from './accounts/sign-in/tokens.ts'
import { Unlocking } from './shares/link-password.ts'
import { visibleOptions } from './config/load.ts'
import { createDamageWitness, createStorage, manifestOwners } from './app-bytes.ts'
import { createListener, type ListenerOptions } from './app-listener.ts'
import { createEmailServices } from './app-emails.ts'
import type { Database } from './database/connect.ts'
import type { DatabaseDisk } from './database/database-disk.ts'
import { findLibraryFolder, Library } from './site/library.ts'
import { Downloads } from './blobs/send/downloads.ts'
import { Manifests } from './blobs/manifests.ts'
import { Health } from './admin/health.ts'
import type { Listener } from './http/listener.ts'
import { createRateLimiter } from './http/rate-limit.ts'
import { listJobs } from './job-list.ts'
import { ClockTrust } from './jobs/clock-trust.ts'
import { Jobs, type TakeJob } from './jobs/jobs.ts'
import { readBootId } from './lib/boot-id.ts'
import { packageRoot, version } from './lib/package-root.ts'
import type { OperationDeps } from './operations.ts'
import { Assets } from './web/pages/assets.ts'
import { PageShell } from './web/pages/shell.ts'
import { Deliveries } from './reverse-shares/deliveries.ts'
import { Received } from './reverse-shares/received.ts'
import { ReverseShares } from './reverse-shares/reverse-shares.ts'
import { Additions } from './shares/additions/additions.ts'
import { Activity } from './shares/activity/activity.ts'
import { ShareCopies } from './shares/copies/copies.ts'
import { ShareChanges } from './shares/changes/changes.ts'
import { PublicShares } from './shares/public-shares.ts'
import { Shares } from './shares/shares.ts'
import { Settings } from './settings/settings.ts'
import type { StorageRoot } from './blobs/storage-root.ts'
import { Storage } from './blobs/storage.ts'
import { checkDoubtful, syncUncovered } from './blobs/receive/os-durability.ts'
import { Uploads } from './blobs/receive/uploads.ts'
import { Contacts } from './accounts/contacts/contacts.ts'
import { PreferencesOfAccounts } from './accounts/preferences/preferences.ts'
import { Users } from './accounts/users/users.ts'
import { StartCheck } from './blobs/verify/start-check.ts'
import { Verify } from './blobs/verify/verify.ts'

const minuteMs = 60_000
/** How long an email that is being sent may take when the service stops. */
const mailGraceMs = 10_000

export interface AppOptions extends ListenerOptions {
  readonly database: Database
  /** Null when another machine or operator looks after the database. */
  readonly databaseDisk: DatabaseDisk | null
  readonly root: StorageRoot
  readonly keys: Keys
  /** This process, as others on the same database know it. */
  readonly processId: string
  readonly isAlive: (processId: string) => Promise<boolean>
  readonly takeJob: TakeJob
}

/**
 * The service without its surroundings: what serve.ts runs, and what tests run in their process.
 */
export interface App {
  readonly services: OperationDeps
  readonly storage: Storage
  readonly jobs: Jobs
  readonly listener: Listener
  /** What a start owes to the last stop: tails, tombstones, transfers that broke. */
  recover(): Promise<void>
  /** Lets running requests end for at most `graceMs`, then closes segment writers and jobs. */
  close(graceMs: number): Promise<void>
}

/** Wires the parts together; starts nothing. */
export function createApp(options: AppOptions): App {
  const { log, isAlive } = options
  const bootId = options.config.durability === 'os' ? readBootId() : null
  const parts = createParts(options, bootId)
  const services = createServices(options, parts)
  const listener = createListener(options, services)
  const { storage, settings, jobs } = parts
  jobs.add(listJobs({ ...options, ...parts, ...services, bootId }))
  return {
    services,
    storage,
    jobs,
    listener,
    async recover() {
      await settings.refresh()
      await parts.clockTrust.start()
      // Before anything is freed: downloads that broke keep no bytes.
      await services.downloads.counting.settleDead(isAlive)
      await storage.recover()
      await parts.emails.recover()
      const thisBoot = bootId ?? readBootId()
      const dropped = await checkDoubtful({ ...options, storage }, thisBoot)
      if (dropped > 0) log.warn('dropped unsynced chunks after reboot', { chunks: dropped })
      // What was acknowledged before its sync, until the option was changed.
      await syncUncovered({ ...options, storage }, thisBoot)
    },
    async close(graceMs) {
      await listener.close(graceMs)
      await Promise.all([
        services.verify.close(),
        services.startCheck.close(),
        services.auth.idle(),
      ])
      await Promise.all([jobs.stop(), parts.emails.close(mailGraceMs)])
      await services.passwordReset.idle()
      await parts.manifests.idle()
      await storage.close()
    },
  }
}

type Parts = ReturnType<typeof createParts>

/** What several services share. */
function createParts(options: AppOptions, bootId: string | null) {
  const { config, database, root, keys, clock, log, processId } = options
  const daysKept = (): number => settings.values.auditDays
  const shownAddresses = () => settings.values.shownAddresses
  const audit = new Audit({ database, clock, daysKept, shownAddresses })
  const clockTrust = new ClockTrust({ database, clock, log })
  const settings = new Settings({ ...config, database, audit, clock, version, sealer: keys })
  const { durability } = config
  const isRead = (shareId: string) => downloads.running.has(shareId)
  const surroundings = { ...options, durability, ownerId: processId }
  const storage = createStorage(surroundings, settings, isRead)
  const tokens = new Tokens(keys, clock)
  const chunkBytesMax = () => settings.values.maxChunkSize
  const emailServices = createEmailServices(options, settings, audit)
  const compressesArchives = () => settings.values.zipCompression
  const damageWitness = createDamageWitness(emailServices)
  const downloads = new Downloads({
    database,
    storage,
    clock,
    log,
    processId,
    compressesArchives,
    damageWitness,
  })
  return {
    audit,
    settings,
    storage,
    ...emailServices,
    linkMisses: new LinkMisses(clock),
    uploads: new Uploads({ database, storage, clock, log, chunkBytesMax, bootId }),
    downloads,
    manifests: new Manifests({ database, root, log, owners: manifestOwners }),
    passwords: new Passwords(() => settings.values.appName),
    clockTrust,
    jobs: new Jobs(log, clock, options.takeJob, clockTrust),
    tokens,
    knownClients: new KnownClients({ database, tokens, clock }),
    secondFactor: new SecondFactor(keys, clock, audit),
  }
}

function createServices(options: AppOptions, parts: Parts): OperationDeps {
  const { config, database, clock, log } = options
  const { audit, settings, storage, uploads, downloads, emails } = parts
  const { shareUrl, reverseShareUrl } = parts
  const https = config.baseUrl.startsWith('https:')
  const isEmbedded = config.databaseUrl === null
  const auth = new Auth({ database, clock, ...parts })
  const shares = new Shares({ database, clock, ...parts })
  const reverseShares = new ReverseShares({ database, clock, ...parts })
  const belongings = [shares, reverseShares]
  const signInAttempts = createRateLimiter(config.rateLimitLogin, clock)
  const checks = createChecks(options, parts)
  const apiTokens = new ApiTokens({ database, clock, ...parts })
  const owned = { belongings, logins: auth, endLinks: deleteResetsOf }
  const users = new Users({ database, clock, ...owned, ...parts })
  const urls = {
    invitationUrl: (token: string) => `${config.baseUrl}/invitation#token=${token}`,
    resetUrl: (token: string) => `${config.baseUrl}/reset-password#token=${token}`,
  }
  return {
    auth,
    credentials: new Credentials({ auth, apiTokens, settings, https }),
    account: new Account({ database, users, auth, clock, ...parts }),
    apiTokens,
    contacts: new Contacts({ database, audit, clock }),
    preferences: new PreferencesOfAccounts({ database, audit, settings, clock }),
    enrolment: new Enrolment({ database, clock, auth, ...parts }),
    setup: new Setup(users),
    signInAttempts,
    accountAttempts: new AccountAttempts({ database, clock, signInAttempts, ...parts }),
    linkAttempts: new LinkAttempts(clock, parts.failureNotices),
    users,
    audit,
    passwordReset: new PasswordReset({
      ...parts,
      database,
      clock,
      log,
      logins: auth,
      ...urls,
    }),
    accountLinks: new AccountLinks({ ...parts, database, clock, users, auth, ...urls }),
    emails,
    sendsMail: () => emails.isConfigured,
    addressOf: async (userId) => (await users.find(userId)).email,
    settings,
    shares,
    ...createShareServices(options, parts),
    reverseShares,
    ...createReverseServices(options, parts, shares),
    uploads,
    downloads,
    https,
    storage,
    trustsProxies: config.trustProxy !== '',
    visibleOptions: visibleOptions(config),
    shareUrl,
    reverseShareUrl,
    resendLimiter: createRateLimiter({ limit: 10, windowMs: 60 * minuteMs }, clock),
    downloadLimiter: createRateLimiter(config.rateLimitDownload, clock),
    ...createPages(settings),
    layoutLimiter: createRateLimiter({ limit: 60, windowMs: minuteMs }, clock),
    ...checks,
    health: new Health({ database, storage, storageCheck: checks.startCheck }),
    description: new Library(findLibraryFolder(), config, ['/openapi.json']),
    status: new Status({ ...parts, ...checks, database, clock, version, isEmbedded }),
  }
}

/** What looks after the bytes on disk. */
function createChecks(
  options: AppOptions,
  parts: Parts,
): Pick<OperationDeps, 'verify' | 'startCheck'> {
  const { storage, settings, downloads, manifests } = parts
  const startCheck = new StartCheck({ ...options, storage, damage: downloads.damage })
  const daysBetween = () => settings.values.verifyDays
  const onFinished = () => void startCheck.run()
  const more = { storage, damage: downloads.damage, manifests, daysBetween, onFinished }
  return { startCheck, verify: new Verify({ ...options, ...more }) }
}

function createPages(settings: Settings): Pick<OperationDeps, 'assets' | 'shell'> {
  const assets = new Assets(path.join(packageRoot, 'static'))
  return { assets, shell: new PageShell({ assets, settings }) }
}

/** What is done with shares beside making them. */
function createShareServices({ database, clock }: AppOptions, parts: Parts) {
  const unlocking = new Unlocking(parts, 'unlock')
  return {
    shareChanges: new ShareChanges({ database, clock, ...parts }),
    activity: new Activity(database),
    additions: new Additions({ database, clock, ...parts }),
    publicShares: new PublicShares({ database, clock, unlocking, ...parts }),
  }
}

/** What comes through reverse shares: from guests, and to their owners. */
function createReverseServices({ database, clock }: AppOptions, parts: Parts, shares: Shares) {
  const unlocking = new Unlocking(parts, 'unlock-reverse')
  return {
    deliveries: new Deliveries({ ...parts, database, clock, unlocking }),
    received: new Received({
      database,
      clock,
      ...parts,
      shareMaker: new ShareCopies({ database, clock, ...parts, shares }),
    }),
  }
}
