// Builds the service, top to bottom: each step adds its objects to those of the steps above it.
// One file, because it is the list of everything that the service consists of.
import path from 'node:path'
import { AccountAttempts } from './accounts/attempts/account-attempts.ts'
import { FailureNotices, Notices } from './accounts/notices/notices.ts'
import { ProviderClients } from './accounts/oidc/clients.ts'
import { Flows } from './accounts/oidc/flows.ts'
import { hasWorkingProvider } from './accounts/oidc/sql.ts'
import { Providers } from './accounts/oidc/providers.ts'
import { ProviderTest } from './accounts/oidc/report.ts'
import { ProviderSignIn } from './accounts/oidc/sign-in.ts'
import { Passwords, type HashCost } from './accounts/passwords/passwords.ts'
import { Passkeys } from './accounts/passkeys/passkeys.ts'
import { listLocales } from './accounts/preferences/sql.ts'
import { ProxyUsers } from './accounts/proxy/proxy-users.ts'
import { PasswordReset } from './accounts/reset/password-reset.ts'
import { SecondFactor } from './accounts/second-factor/second-factor.ts'
import { Credentials } from './accounts/sign-in/credentials.ts'
import type { Keys } from './accounts/sign-in/keys.ts'
import { Setup } from './accounts/sign-in/setup.ts'
import { Auth } from './accounts/sign-in/sign-in.ts'
import { Tokens } from './accounts/sign-in/tokens.ts'
import { SignUp } from './accounts/sign-up/sign-up.ts'
import { Users } from './accounts/users/users.ts'
import { Doctor } from './admin/doctor/doctor.ts'
import { Probe } from './admin/doctor/probe.ts'
import { Metrics } from './admin/metrics/metrics.ts'
import { DiskWatch } from './admin/problems/disk-watch.ts'
import { ProblemNotices } from './admin/problems/notices.ts'
import { findNow } from './admin/sql.ts'
import { Status } from './admin/status.ts'
import { Audit } from './audit/audit.ts'
import { findLastRun } from './backup/sql.ts'
import { Manifests } from './bytes/upkeep/manifests.ts'
import { Uploads } from './bytes/receive/uploads.ts'
import { Downloads } from './bytes/send/downloads.ts'
import { Storage } from './bytes/storage.ts'
import type { StorageRoot } from './bytes/store/store.ts'
import { Traffic } from './bytes/traffic.ts'
import { StartCheck } from './bytes/upkeep/verify/start-check.ts'
import { Verify } from './bytes/upkeep/verify/verify.ts'
import { boundsOfConnections, budgetsOf } from './config/budgets.ts'
import { createLimiters } from './config/limiters.ts'
import { visibleOptions, type Config } from './config/load.ts'
import { formatSocketPlace } from './config/parse.ts'
import { createRequestPermits } from './config/request-permits.ts'
import { databaseFailure, type Database } from './database/connect.ts'
import type { DatabaseDisk } from './database/database-disk.ts'
import { deleteOldInstances } from './database/instances-sql.ts'
import { LimiterExchange } from './database/limiter-exchange.ts'
import type { Signals } from './database/signals.ts'
import { Emails } from './email/emails.ts'
import { embeddableLogo, embeddedMark } from './email/logo.ts'
import { greetingName, greetServer, type SmtpServer } from './email/smtp.ts'
import { createClientIp, createIsProxy } from './http/client-ip.ts'
import { Cookies } from './http/headers.ts'
import { aloneExchange, createRateLimiter } from './http/rate-limit.ts'
import { Listener } from './http/listener.ts'
import { chooseLanguage } from './http/negotiation.ts'
import { RequestCounts } from './http/ended-requests.ts'
import { answerHeaders } from './http/send.ts'
import { ClockTrust } from './jobs/clock-trust.ts'
import { Jobs, type TakeJob } from './jobs/jobs.ts'
import { basePathOf } from './lib/base-path.ts'
import { type Clock, hourMs } from './lib/clock.ts'
import { parseSender } from './lib/email-address.ts'
import type { Log } from './lib/log.ts'
import { packageRoot, version } from './lib/package-root.ts'
import { pathParameters } from './lib/path-parameters.ts'
import { randomToken } from './lib/random-id.ts'
import { SharedReads } from './lib/shared-work.ts'
import { Deliveries } from './requests/deliveries.ts'
import { DeliveryEmails } from './requests/delivery-emails.ts'
import { Received } from './requests/received.ts'
import { ReverseShares } from './requests/reverse-shares.ts'
import type { LinkedReverseShare } from './requests/sql.ts'
import { listJobs, listOperations } from './routes.ts'
import { Settings } from './settings/settings.ts'
import { Additions } from './shares/additions/additions.ts'
import type { FoundShare, LinkedShare } from './shares/sql.ts'
import { ShareChanges } from './shares/changes/changes.ts'
import { ShareCopies } from './shares/copies/copies.ts'
import { Counting } from './shares/downloads/counting.ts'
import { LayoutLimits } from './shares/downloads/layout-limits.ts'
import { LinkAttempts } from './shares/link-attempts.ts'
import { LinkCookies, Unlocking, LinkMisses } from './shares/link-proofs.ts'
import { LinkCodes } from './shares/personal-links/codes.ts'
import { PersonalLinks } from './shares/personal-links/personal-links.ts'
import { PublicShares } from './shares/public-shares.ts'
import { RecipientEmails } from './shares/recipients/recipient-emails.ts'
import { Shares } from './shares/shares.ts'
import { Thumbnails } from './shares/thumbnails/thumbnails.ts'
import { findLibraryFolder, Library } from './site/library.ts'
import { inAccentColor } from './pages/accented-icons.ts'
import { Assets } from './pages/assets.ts'
import { PageShell } from './pages/shell.ts'

/** Time for an email that is being sent when the service stops. */
const emailGraceMs = 10_000

/** How often the work of dead instances is looked for. */
const takeOverMs = 15_000

/** The process of the service, and its options. */
export interface AppOptions {
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
  /** To and from other services on the same database; null where there can be none. */
  readonly signals: Signals | null
  /** Replaces the usual cost of password hashes, in tests. */
  readonly hashCost?: HashCost
  /** Accepts sign-in providers of this machine over http, in tests. */
  readonly acceptsHttpProviders?: boolean
}

/** The service without its process: used by serve.ts, and by tests in their own process. */
export interface App {
  readonly services: Services
  readonly storage: Storage
  readonly jobs: Jobs
  readonly listener: Listener
  /** Work left by the last process: uncommitted bytes, tombstones, broken transfers. */
  recover(): Promise<void>
  /** The same of other instances that are dead, while this one serves. */
  takeOver(): Promise<void>
  /** Gives running requests `graceMs` to end, then closes segment writers and jobs. */
  close(graceMs: number): Promise<void>
}

/** Builds the service; starts nothing. */
export function createApp(options: AppOptions): App {
  const basis = withBasis(options)
  const emailing = withEmails(basis)
  const bytes = withBytes(emailing)
  const shares = withShares(bytes)
  const requests = withRequests(shares)
  const signIn = withSignIn(requests)
  const accounts = withAccounts(signIn)
  const admin = withAdmin(accounts)
  const services = withPages(admin)
  const listener = createListener(services)
  const { storage, settings, jobs, emails, traffic, log } = services
  const settleDead = () => services.counting.settleDead(services.isAlive)
  const takeOver = async () => {
    await settleDead()
    await storage.takeOver()
    await emails.takeOver()
    await deleteOldInstances(services.database.sql)
  }
  jobs.add(listJobs(services))
  if (services.isShared) {
    jobs.add([{ name: 'take over from dead instances', everyMs: takeOverMs, run: takeOver }])
  }
  return {
    services,
    storage,
    jobs,
    listener,
    async recover() {
      await settings.refresh()
      services.limitExchange.start?.()
      await services.clockTrust.start()
      // Before bytes are freed: broken downloads must not hold them.
      await settleDead()
      await storage.recover()
      await emails.recover()
    },
    takeOver,
    async close(graceMs) {
      await listener.close(graceMs)
      services.metrics.close()
      services.limitExchange.stop?.()
      await Promise.all([
        services.verify.close(),
        services.startCheck.close(),
        services.failureNotices.idle(),
      ])
      await Promise.all([jobs.stop(), emails.close(emailGraceMs)])
      await Promise.all([services.passwordReset.idle(), services.signUp.idle()])
      await services.manifests.idle()
      await traffic.close().catch((cause: unknown) => {
        log.warn('could not record traffic', { cause })
      })
      await storage.close()
    },
  }
}

/** What all modules use. */
function withBasis(options: AppOptions) {
  const { config, database, clock, log, keys, takeJob, signals, hashCost } = options
  const isShared = signals !== null
  const limitExchange = signals
    ? new LimiterExchange({ database, log, instanceId: signals.instanceId })
    : aloneExchange
  const { baseUrl } = config
  const budgets = budgetsOf(config.memoryLimit)
  const audit = new Audit({
    database,
    clock,
    daysKept: () => settings.values.auditDays,
    shownAddresses: () => settings.values.shownAddresses,
  })
  const settings = new Settings({
    ...options,
    audit,
    version,
    baseUrl,
    sealer: keys,
    hasOtherSignIn: async (sql) => config.proxyUserHeader !== '' || (await hasWorkingProvider(sql)),
  })
  const clockTrust = new ClockTrust({ database, clock, log })
  return {
    ...options,
    baseUrl,
    version,
    budgets,
    audit,
    isShared,
    settings,
    clockTrust,
    limitExchange,
    limiters: createLimiters(config, clock, limitExchange),
    requestPermits: createRequestPermits(budgets, clock),
    requestCounts: new RequestCounts(),
    jobs: new Jobs(log, clock, takeJob, clockTrust, isShared),
    cookies: new Cookies({ baseUrl, tag: keys.mark('name cookies', baseUrl).slice(0, 8) }),
    tokens: new Tokens(keys, clock),
    passwords: new Passwords({
      appName: () => settings.values.appName,
      hashesMax: budgets.hashesMax,
      cost: hashCost,
      clock,
    }),
    secondFactor: new SecondFactor(keys, clock, audit),
  }
}

/** The picture in emails: the logo, if emails can carry it; without one the product's mark. */
function emailLogo(assets: Assets, { logo, accentColor }: Settings['values']) {
  if (logo !== '') return embeddableLogo(logo)
  const name = 'icon-192.png'
  return embeddedMark(inAccentColor(name, assets.find(name)!, accentColor).body)
}

function withEmails(basis: ReturnType<typeof withBasis>) {
  const { settings, baseUrl, keys } = basis
  const assets = new Assets(path.join(packageRoot, 'static'))
  const emails = new Emails({
    ...basis,
    sealer: keys,
    server: () => smtpServer(settings, baseUrl),
    isHeld: () => settings.areEmailsHeld,
    logo: () => emailLogo(assets, settings.values),
    deployment: () => ({ ...settings.values, baseUrl }),
    localesOf: listLocales,
  })
  const forEmails = {
    ...basis,
    assets,
    emails,
    shownAddresses: () => settings.values.shownAddresses,
    shareUrl: ({ id, slug }: LinkedShare) => `${baseUrl}/s/${slug ?? id}`,
    reverseShareUrl: ({ id, slug }: LinkedReverseShare) => `${baseUrl}/r/${slug ?? id}`,
    deliveryUrl: (reverseId: string, deliveryId: string) =>
      `${baseUrl}/requests/${reverseId}?delivery=${deliveryId}`,
    invitationUrl: (token: string) => `${baseUrl}/invitation#token=${token}`,
    signUpUrl: (token: string) => `${baseUrl}/sign-up#token=${token}`,
    resetUrl: (token: string) => `${baseUrl}/reset-password#token=${token}`,
  }
  return {
    ...forEmails,
    recipientEmails: new RecipientEmails(forEmails),
    deliveryEmails: new DeliveryEmails(forEmails),
    notices: new Notices(forEmails),
    failureNotices: new FailureNotices(forEmails),
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

/** Receives, sends and checks the bytes on disk. */
function withBytes(below: ReturnType<typeof withEmails>) {
  const { database, clock, budgets, processId } = below
  const { emails, recipientEmails, deliveryEmails } = below
  const storage = new Storage({
    ...below,
    ownerId: processId,
    isRead: (id) => downloads.running.reads(id),
  })
  const traffic = new Traffic({ database, clock })
  const downloads = new Downloads({
    ...below,
    storage,
    traffic,
    memory: {
      bytesMax: budgets.downloadBytes,
      transfersMax: budgets.downloadsMax,
      layoutBytesMax: budgets.selectionBytes,
      archiveCacheBytesMax: budgets.archiveCacheBytes,
    },
    // Emails the owners of damaged files.
    damageNotices: {
      async filesDamaged(sql, fileIds) {
        await recipientEmails.writeDamage(sql, fileIds)
        await deliveryEmails.filesDamaged(sql, fileIds)
      },
      send: () => emails.wake(),
    },
  })
  const { damage } = downloads
  const uploads = new Uploads({
    ...below,
    storage,
    traffic,
    memory: { bytesMax: budgets.uploadBytes, heapGrowthBytes: budgets.heapGrowthBytes },
  })
  const manifests = new Manifests({
    ...below,
    owners: ['shares', 'deliveries'],
    takeJob: below.isShared ? below.takeJob : null,
  })
  const startCheck = new StartCheck({ ...below, storage, damage })
  const verify = new Verify({
    ...below,
    storage,
    damage,
    manifests,
    onFinished: () => void startCheck.run(),
  })
  return { ...below, storage, traffic, downloads, uploads, manifests, startCheck, verify }
}

function withShares(below: ReturnType<typeof withBytes>) {
  const { clock, limiters, failureNotices, limitExchange: exchange } = below
  const personalLinks = new PersonalLinks(below)
  const shares = new Shares({ ...below, personalLinks })
  return {
    ...below,
    linkMisses: new LinkMisses(clock, exchange),
    linkCookies: new LinkCookies(below),
    personalLinks,
    linkCodes: new LinkCodes(below),
    linkAttempts: new LinkAttempts(clock, failureNotices, exchange),
    resendLimiter: createRateLimiter({ limit: 10, windowMs: hourMs }, clock, {
      exchange,
      name: 'resend',
    }),
    downloadLimiter: limiters.named.download,
    layoutLimits: new LayoutLimits(clock),
    counting: new Counting(below),
    shares,
    shareChanges: new ShareChanges({ ...below, personalLinks }),
    additions: new Additions(below),
    unlocking: new Unlocking(below, 'unlock'),
    lookUps: new SharedReads<FoundShare | null>(),
    publicShares: new PublicShares(below),
    thumbnails: new Thumbnails(below),
  }
}

function withRequests(below: ReturnType<typeof withShares>) {
  const unlocking = new Unlocking(below, 'unlock-reverse')
  return {
    ...below,
    reverseShares: new ReverseShares(below),
    deliveries: new Deliveries({ ...below, unlocking }),
    received: new Received({ ...below, shareCopies: new ShareCopies(below) }),
  }
}

/** Accounts, and the ways to act as one. */
function withSignIn(below: ReturnType<typeof withRequests>) {
  const { limiters, shares, reverseShares, keys, baseUrl, isShared } = below
  const auth = new Auth(below)
  // Shares and reverse shares go with their owner.
  const properties = [shares, reverseShares]
  const users = new Users({ ...below, properties, auth })
  const deps = {
    ...below,
    auth,
    users,
    signInAttempts: limiters.named.login,
    proxyUsers: new ProxyUsers(below.config),
  }
  return {
    ...deps,
    credentials: new Credentials(deps),
    accountAttempts: new AccountAttempts(deps),
    // With several instances, the request may reach another one than the one whose log shows it.
    setup: new Setup(users, isShared ? keys.mark('set up', baseUrl) : randomToken()),
  }
}

/** For the holders of accounts. */
function withAccounts(below: ReturnType<typeof withSignIn>) {
  return {
    ...below,
    ...createProviders(below),
    passkeys: new Passkeys(below),
    passwordReset: new PasswordReset(below),
    signUp: new SignUp(below),
  }
}

/** Sign-in with OpenID Connect. */
function createProviders(below: ReturnType<typeof withSignIn>) {
  const { acceptsHttpProviders = false } = below
  const providerClients = new ProviderClients({ ...below, acceptsHttp: acceptsHttpProviders })
  const providers = new Providers({ ...below, providerClients })
  const deps = { ...below, providerClients, providers, flows: new Flows(below) }
  const providerSignIn = new ProviderSignIn(deps)
  return {
    ...deps,
    providerSignIn,
    providerTest: new ProviderTest({ ...deps, providerSignIn }),
  }
}

/** What administrators and monitors see of the service. */
function withAdmin(below: ReturnType<typeof withAccounts>) {
  const { config, settings, requestPermits } = below
  const { trustProxy, databaseUrl } = config
  const disks = new DiskWatch(below)
  const metrics = new Metrics({
    ...below,
    requests: below.requestCounts,
    permits: {
      look_up: requestPermits.lookUps,
      json_body: requestPermits.jsonBodies,
      long_body: requestPermits.longBodies,
      long_answer: requestPermits.longAnswers,
    },
    signIns: below.auth.counts,
  })
  const isWanted = () => settings.values.notifyAdministrators
  return {
    ...below,
    ...createDoctor(below),
    disks,
    metrics,
    problemNotices: new ProblemNotices({ ...below, disks, isWanted }),
    status: new Status({ ...below, isEmbedded: databaseUrl === null }),
    isProxy: createIsProxy(trustProxy),
    trustsProxies: trustProxy !== '',
    visibleOptions: visibleOptions(config),
  }
}

/** Check-ups: the doctor, and the service's side of its requests. */
function createDoctor(below: ReturnType<typeof withAccounts>) {
  const { config, database, clock, settings, tokens, storage, emails } = below
  const { baseUrl, trustProxy, dataDir, host, port } = config
  const isEverywhere = ['', '::', '0.0.0.0'].includes(host)
  const probe = new Probe({ tokens, clock, trustProxy })
  const doctor = new Doctor({
    clock,
    baseUrl,
    upstream: formatSocketPlace({ host: isEverywhere ? '127.0.0.1' : host, port }),
    trustProxy,
    dataDir,
    publicOptionsFile: below.publicOptionsFile ?? null,
    chunkBytesMax: () => settings.values.maxChunkSize,
    databaseNow: () => findNow(database.sql),
    clockDoubt: () => below.clockTrust.look(),
    testDisk: () => storage.writeTest.run(),
    diskSpace: () => storage.space.describe(),
    mailServer: () => emails.server,
    testMailServer: greetServer,
    lastBackup: () => findLastRun(database.sql),
    verifyReport: () => below.verify.report(),
    makeToken: () => probe.makeToken(),
  })
  return { probe, doctor }
}

function withPages(below: ReturnType<typeof withAdmin>) {
  const { config, settings, baseUrl, assets } = below
  return {
    ...below,
    shell: new PageShell({ assets, settings, basePath: basePathOf(baseUrl) }),
    description: new Library(findLibraryFolder(), config, ['/openapi.json']),
  }
}

type Services = ReturnType<typeof withPages>

/** Every operation behind its guards and limits. */
function createListener(services: Services): Listener {
  const { config, clock, log, credentials, limiters } = services
  return new Listener({
    operations: listOperations(services),
    pathParameters,
    guards: {
      clock,
      limits: limiters.named,
      ...services.requestPermits,
      longLists: limiters.longLists,
      credentials,
    },
    connections: boundsOfConnections(config),
    clientIp: createClientIp(config.trustProxy),
    basePath: basePathOf(config.baseUrl),
    answers: answerHeaders(services.cookies.isSecure),
    clock,
    log,
    counts: services.requestCounts,
    notFoundPage: (context) =>
      services.shell.notFound(chooseLanguage(context.header('accept-language'))),
    translateError: databaseFailure,
  })
}
