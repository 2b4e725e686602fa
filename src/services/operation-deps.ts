import { visibleOptions } from '../config/load.ts'
import type { Config } from '../config/load.ts'
import { createIsProxy } from '../http/client-ip.ts'
import type { OperationDeps } from '../operations.ts'
import type { Services } from './services.ts'

/** Gives the operations of each module exactly what they use. */
export function operationDeps(config: Config, services: Services): OperationDeps {
  const { settings, shell, emails, storage, startCheck, verify } = services
  const { credentials, auth, users, account, accountAttempts } = services
  const { shares, additions, uploads, downloads, linkAttempts, resendLimiter } = services
  const { admission, publicShares, downloadLimiter, layoutLimits } = services
  const { deliveries, received, reverseShares, shareUrl, reverseShareUrl } = services
  const publicLinks = {
    admission,
    publicShares,
    downloads,
    credentials,
    linkAttempts,
    downloadLimiter,
    layoutLimits,
  }
  const guests = { deliveries, uploads, settings, linkCookies: services.linkCookies, linkAttempts }
  return {
    signIn: {
      auth,
      credentials,
      setup: services.setup,
      accountAttempts,
      signInAttempts: services.signInAttempts,
    },
    ownAccount: { accountAttempts, account, auth, credentials },
    apiTokens: { accountAttempts, apiTokens: services.apiTokens },
    secondFactor: { accountAttempts, enrolment: services.enrolment, users },
    contacts: { contacts: services.contacts },
    preferences: { preferences: services.preferences },
    passwordReset: { passwordReset: services.passwordReset },
    accountLinks: { accountLinks: services.accountLinks, credentials, users },
    users: { users, account },
    shares: { shares, additions, uploads, resendLimiter, shareUrl },
    shareChanges: { shareChanges: services.shareChanges, shareUrl },
    additions: { additions },
    recipients: { shares, resendLimiter },
    activity: { activity: services.activity, settings },
    publicShares: publicLinks,
    thumbnails: { thumbnails: services.thumbnails, admission, credentials },
    qrCodes: { admission, shareUrl },
    sharePages: { ...publicLinks, shell, settings, shareUrl, baseUrl: config.baseUrl },
    reverseShares: { reverseShares, reverseShareUrl },
    received: { reverseShares, received, downloads, shareUrl },
    guests,
    guestPages: { ...guests, shell },
    settings: { settings },
    emails: { emails, addressOf: async (userId) => (await users.find(userId)).email },
    audit: { audit: services.audit },
    admin: { status: services.status, overview: services.overview, shares, shareUrl },
    checks: { audit: services.audit, storage, ...describeOptions(config) },
    checkUp: { doctor: services.doctor },
    probe: { probe: services.probe },
    verify: { audit: services.audit, verify, startCheck },
    pages: {
      users,
      sendsEmail: () => emails.isConfigured,
      assets: services.assets,
      settings,
      shell,
      credentials,
      baseUrl: config.baseUrl,
    },
    health: { health: services.health, metrics: services.metrics },
    description: { description: services.description },
  }
}

function describeOptions(config: Config) {
  const { trustProxy } = config
  return {
    isProxy: createIsProxy(trustProxy),
    trustsProxies: trustProxy !== '',
    visibleOptions: visibleOptions(config),
  }
}
