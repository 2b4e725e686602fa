import * as checks from './admin/check-operations.ts'
import * as checkUp from './admin/doctor/operations.ts'
import * as probe from './admin/doctor/probe-operations.ts'
import * as admin from './admin/operations.ts'
import * as account from './accounts/own-account/operations.ts'
import * as audit from './audit/operations.ts'
import * as apiTokens from './accounts/api-tokens/operations.ts'
import * as accountLinks from './accounts/invitations/operations.ts'
import * as auth from './accounts/sign-in/operations.ts'
import * as passwordReset from './accounts/reset/operations.ts'
import * as secondFactor from './accounts/second-factor/operations.ts'
import * as description from './site/description-operation.ts'
import * as health from './admin/health-operations.ts'
import * as metrics from './admin/metrics/operations.ts'
import type { Operation } from './http/operation.ts'
import * as emails from './email/operations.ts'
import * as assets from './web/pages/asset-operations.ts'
import * as pages from './web/pages/operations.ts'
import * as installedApp from './web/pages/installed-app.ts'
import * as reversePages from './reverse-shares/pages.ts'
import * as guests from './reverse-shares/guest-operations.ts'
import * as reverse from './reverse-shares/operations.ts'
import * as received from './reverse-shares/delivery-operations.ts'
import * as activity from './shares/activity/operations.ts'
import * as shareChanges from './shares/changes/operations.ts'
import * as additions from './shares/additions/operations.ts'
import * as recipients from './shares/recipients/operations.ts'
import * as sharePages from './shares/pages.ts'
import * as linkDownload from './shares/link-operations.ts'
import * as publicShares from './shares/public-operations.ts'
import * as shares from './shares/operations.ts'
import * as tar from './shares/tar-operations.ts'
import * as thumbnails from './shares/thumbnails/operations.ts'
import * as qrCodes from './shares/qr-code-operations.ts'
import * as settings from './settings/operations.ts'
import * as users from './accounts/users/operations.ts'
import * as contacts from './accounts/contacts/operations.ts'
import * as preferences from './accounts/preferences/operations.ts'
import * as verify from './admin/verify-operations.ts'

/** Dependencies of the operations of each module; app.ts provides them. */
export interface OperationDeps {
  readonly signIn: auth.AuthOperationDeps
  readonly ownAccount: account.AccountOperationDeps
  readonly apiTokens: apiTokens.ApiTokensOperationDeps
  readonly secondFactor: secondFactor.SecondFactorOperationDeps
  readonly shares: shares.SharesOperationDeps
  readonly shareChanges: shareChanges.ShareChangesOperationDeps
  readonly recipients: recipients.RecipientsOperationDeps
  readonly activity: activity.ActivityOperationDeps
  readonly additions: additions.AdditionsOperationDeps
  readonly publicShares: publicShares.PublicSharesOperationDeps
  readonly thumbnails: thumbnails.ThumbnailOperationDeps
  readonly qrCodes: qrCodes.QrCodeOperationDeps
  readonly sharePages: sharePages.SharePageDeps
  readonly reverseShares: reverse.ReverseOperationDeps
  readonly received: received.ReceivedOperationDeps
  readonly guests: guests.PublicReverseOperationDeps
  readonly guestPages: reversePages.GuestPageDeps
  readonly users: users.UsersOperationDeps
  readonly contacts: contacts.ContactsOperationDeps
  readonly preferences: preferences.PreferencesOperationDeps
  readonly settings: settings.SettingsOperationDeps
  readonly passwordReset: passwordReset.PasswordResetOperationDeps
  readonly accountLinks: accountLinks.AccountLinksOperationDeps
  readonly emails: emails.EmailsOperationDeps
  readonly audit: audit.AuditOperationDeps
  readonly admin: admin.AdminOperationDeps
  readonly checks: checks.ChecksOperationDeps
  readonly checkUp: checkUp.CheckUpOperationDeps
  readonly probe: probe.ProbeOperationDeps
  readonly verify: verify.VerifyOperationDeps
  readonly pages: pages.PagesDeps
  readonly health: health.HealthOperationDeps & metrics.MetricsOperationDeps
  readonly description: description.DescriptionOperationDeps
}

interface Declaration {
  readonly module: keyof OperationDeps
  readonly declare: (deps: never) => Operation
}

/** Operations of one module, each with the dependencies of that module. */
function from<K extends keyof OperationDeps>(
  module: K,
  operations: readonly ((deps: OperationDeps[K]) => Operation)[],
): Declaration[] {
  return operations.map((declare) => ({ module, declare }))
}

/** The route list: every operation of the product, by audience. */
const declarations: readonly Declaration[] = [
  // Authentication
  ...from('signIn', [auth.login, auth.verify2fa, auth.logout]),
  ...from('ownAccount', [account.confirmLogin]),
  ...from('signIn', [auth.setup]),
  ...from('passwordReset', [
    passwordReset.requestPasswordReset,
    passwordReset.verifyPasswordReset,
    passwordReset.completePasswordReset,
  ]),
  ...from('accountLinks', [accountLinks.verifyInvitation, accountLinks.acceptInvitation]),
  // Shares, for their owner
  ...from('shares', [
    shares.initShare,
    shares.uploadShareChunk,
    tar.uploadShareTar,
    tar.putShareTar,
    tar.sendTar,
    tar.putTar,
    shares.finalizeShare,
    shares.listShares,
  ]),
  ...from('shareChanges', [
    shareChanges.getShare,
    shareChanges.updateShare,
    shareChanges.stopShare,
  ]),
  ...from('shares', [shares.deleteShare, shares.listShareChunks, shares.getShareQrCode]),
  ...from('thumbnails', [thumbnails.putShareThumbnail]),
  ...from('recipients', [
    recipients.resendShare,
    recipients.listShareEmails,
    recipients.listShareLetters,
  ]),
  ...from('activity', [activity.listShareActivity]),
  ...from('additions', [
    additions.startAdditions,
    additions.cancelAdditions,
    additions.deleteShareFile,
    additions.deleteShareFiles,
  ]),
  // Shares, for recipients
  ...from('publicShares', [
    publicShares.getPublicShare,
    publicShares.verifySharePassword,
    publicShares.downloadShareZip,
    linkDownload.downloadLink,
    publicShares.downloadShareFile,
  ]),
  ...from('thumbnails', [thumbnails.getShareThumbnail]),
  ...from('qrCodes', [qrCodes.getPublicQrCode]),
  // Reverse shares, for their owner
  ...from('reverseShares', [
    reverse.listReverseShares,
    reverse.createReverseShare,
    reverse.getReverseShareQrCode,
    reverse.updateReverseShare,
    reverse.deleteReverseShare,
  ]),
  ...from('received', [
    received.listReverseShareFiles,
    received.listDeliveries,
    received.markDeliveriesSeen,
    received.shareDelivery,
    received.deleteDelivery,
    received.downloadReverseShare,
    received.downloadReverseFile,
  ]),
  // Reverse shares, for guests
  ...from('guests', [
    guests.getPublicReverseShare,
    guests.verifyReversePassword,
    guests.initDelivery,
    guests.cancelDelivery,
    guests.uploadDeliveryChunk,
    guests.uploadDeliveryTar,
    guests.putDeliveryTar,
    guests.listDeliveryChunks,
    guests.finalizeDelivery,
  ]),
  // The caller's own account
  ...from('ownAccount', [
    account.getAccount,
    account.getAccountUsage,
    account.updateAccount,
    account.changePassword,
    account.deleteAccount,
    account.listSessions,
    account.endOtherSessions,
    account.endSession,
  ]),
  ...from('contacts', [
    contacts.listContacts,
    contacts.addContact,
    contacts.updateContact,
    contacts.deleteContact,
  ]),
  ...from('preferences', [preferences.getPreferences, preferences.putPreferences]),
  ...from('apiTokens', [
    apiTokens.listApiTokens,
    apiTokens.createApiToken,
    apiTokens.deleteApiToken,
  ]),
  ...from('secondFactor', [
    secondFactor.getSecondFactorStatus,
    secondFactor.setupSecondFactor,
    secondFactor.enableSecondFactor,
    secondFactor.renewRecoveryCodes,
    secondFactor.disableSecondFactor,
  ]),
  // Users, for administrators
  ...from('users', [users.listUsers, users.createUser]),
  ...from('accountLinks', [
    accountLinks.inviteUser,
    accountLinks.inviteUserAgain,
    accountLinks.createResetLink,
  ]),
  ...from('users', [users.updateUser, users.deleteUser]),
  ...from('secondFactor', [secondFactor.resetUserSecondFactor]),
  // Settings
  ...from('settings', [
    settings.getConfig,
    settings.getConfigDefaults,
    settings.updateConfig,
    settings.getBranding,
    settings.getLimits,
  ]),
  // Administration
  ...from('admin', [
    admin.getAdminStatus,
    admin.getAdminOverview,
    admin.listAllShares,
    admin.deleteAnyShare,
  ]),
  ...from('checks', [checks.testStorage]),
  ...from('verify', [verify.startVerify, verify.getVerify]),
  ...from('checks', [checks.getConnection, checks.getBootOptions, checks.getAbout]),
  ...from('checkUp', [checkUp.runCheckUp]),
  ...from('probe', [
    probe.echoProbe,
    probe.endProbe,
    probe.sinkProbe,
    probe.getSinkProbe,
    probe.pauseProbe,
  ]),
  ...from('emails', [emails.listMails, emails.retryMail, emails.testMail]),
  ...from('audit', [audit.listAudit, audit.exportAudit, audit.exportAuditAsJson]),
  // Pages
  ...from('pages', [
    pages.sendPage,
    ...pages.appPages,
    pages.loginPage,
    pages.setupPage,
    pages.passwordResetPage,
    pages.invitationPage,
    assets.asset,
    assets.builtAsset,
    assets.themeSheet,
    pages.previewTheme,
    assets.logoImage,
    assets.groundImage,
    assets.darkLogoImage,
    installedApp.webManifest,
    installedApp.shareTargetWorker,
    installedApp.receiveShareTarget,
  ]),
  ...from('sharePages', [sharePages.sharePage]),
  ...from('guestPages', [reversePages.reversePage]),
  // Its description
  ...from('description', [description.getApiDescription]),
  // Health
  ...from('health', [health.livez, health.readyz, metrics.getMetrics]),
]

export function operationsOf(deps: OperationDeps): readonly Operation[] {
  return declarations.map(({ module, declare }) => declare(deps[module] as never))
}

/** Only the declarations, for the API description and the tests: their handlers do not work. */
export const operations = declarations.map(({ declare }) => declare({} as never))
