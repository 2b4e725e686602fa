import * as checks from './admin/check-operations.ts'
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
import type { Operation } from './http/operation.ts'
import * as mail from './email/operations.ts'
import * as pages from './web/pages/operations.ts'
import * as reversePages from './reverse-shares/pages.ts'
import * as guests from './reverse-shares/guest-operations.ts'
import * as reverse from './reverse-shares/operations.ts'
import * as received from './reverse-shares/delivery-operations.ts'
import * as activity from './shares/activity/operations.ts'
import * as shareChanges from './shares/changes/operations.ts'
import * as additions from './shares/additions/operations.ts'
import * as sharePages from './shares/pages.ts'
import * as publicShares from './shares/public-operations.ts'
import * as shares from './shares/operations.ts'
import * as qrCodes from './shares/qr-code-operations.ts'
import * as settings from './settings/operations.ts'
import * as users from './accounts/users/operations.ts'
import * as contacts from './accounts/contacts/operations.ts'
import * as preferences from './accounts/preferences/operations.ts'
import * as verify from './admin/verify-operations.ts'

/** What all operations need; app.ts provides it. */
export interface OperationDeps
  extends
    auth.AuthOperationDeps,
    account.AccountOperationDeps,
    apiTokens.ApiTokensOperationDeps,
    secondFactor.SecondFactorOperationDeps,
    shares.SharesOperationDeps,
    shareChanges.ShareChangesOperationDeps,
    activity.ActivityOperationDeps,
    additions.AdditionsOperationDeps,
    publicShares.PublicSharesOperationDeps,
    qrCodes.QrCodeOperationDeps,
    sharePages.SharePageDeps,
    reverse.ReverseOperationDeps,
    received.ReceivedOperationDeps,
    guests.PublicReverseOperationDeps,
    users.UsersOperationDeps,
    contacts.ContactsOperationDeps,
    preferences.PreferencesOperationDeps,
    settings.SettingsOperationDeps,
    passwordReset.PasswordResetOperationDeps,
    accountLinks.AccountLinksOperationDeps,
    mail.MailOperationDeps,
    audit.AuditOperationDeps,
    admin.AdminOperationDeps,
    checks.ChecksOperationDeps,
    verify.VerifyOperationDeps,
    pages.PagesDeps,
    health.HealthOperationDeps,
    description.DescriptionOperationDeps {}

/** The route list: every operation of the product, by audience. */
const declarations: readonly ((deps: OperationDeps) => Operation)[] = [
  // Authentication
  auth.login,
  auth.verify2fa,
  auth.logout,
  account.confirmLogin,
  auth.setup,
  passwordReset.requestPasswordReset,
  passwordReset.verifyPasswordReset,
  passwordReset.completePasswordReset,
  accountLinks.verifyInvitation,
  accountLinks.acceptInvitation,
  // Shares, for their owner
  shares.initShare,
  shares.uploadShareChunk,
  shares.finalizeShare,
  shares.listShares,
  shareChanges.getShare,
  shareChanges.updateShare,
  shareChanges.putShare,
  shareChanges.stopShare,
  shares.deleteShare,
  shares.listShareChunks,
  shares.getShareQrCode,
  shares.resendShare,
  shares.listShareEmails,
  shares.listShareLetters,
  activity.listShareActivity,
  additions.startAdditions,
  additions.cancelAdditions,
  additions.deleteShareFile,
  // Shares, for whoever has the link
  publicShares.getPublicShare,
  publicShares.verifySharePassword,
  publicShares.downloadShareZip,
  publicShares.downloadShareFile,
  qrCodes.getPublicQrCode,
  // Reverse shares, for their owner
  reverse.listReverseShares,
  reverse.createReverseShare,
  reverse.updateReverseShare,
  reverse.deleteReverseShare,
  received.listReverseShareFiles,
  received.listDeliveries,
  received.markDeliveriesSeen,
  received.shareDelivery,
  received.deleteDelivery,
  received.downloadReverseShare,
  received.downloadReverseFile,
  // Reverse shares, for guests
  guests.getPublicReverseShare,
  guests.verifyReversePassword,
  guests.initDelivery,
  guests.uploadDeliveryChunk,
  guests.listDeliveryChunks,
  guests.finalizeDelivery,
  // The caller's own account
  account.getAccount,
  account.getAccountUsage,
  account.updateAccount,
  account.changePassword,
  account.deleteAccount,
  account.listSessions,
  account.endOtherSessions,
  account.endSession,
  contacts.listContacts,
  contacts.addContact,
  contacts.updateContact,
  contacts.deleteContact,
  preferences.getPreferences,
  preferences.putPreferences,
  apiTokens.listApiTokens,
  apiTokens.createApiToken,
  apiTokens.deleteApiToken,
  secondFactor.getSecondFactorStatus,
  secondFactor.setupSecondFactor,
  secondFactor.enableSecondFactor,
  secondFactor.renewRecoveryCodes,
  secondFactor.disableSecondFactor,
  // Users, for administrators
  users.listUsers,
  users.createUser,
  accountLinks.inviteUser,
  accountLinks.inviteUserAgain,
  accountLinks.createResetLink,
  users.updateUser,
  users.deleteUser,
  secondFactor.resetUserSecondFactor,
  // Settings
  settings.getConfig,
  settings.getConfigDefaults,
  settings.updateConfig,
  settings.getBranding,
  settings.getLimits,
  // Administration
  admin.getAdminStatus,
  admin.listAllShares,
  admin.deleteAnyShare,
  checks.testStorage,
  verify.startVerify,
  verify.getVerify,
  checks.getConnection,
  checks.getBootOptions,
  checks.getAbout,
  mail.listMails,
  mail.retryMail,
  mail.testMail,
  audit.listAudit,
  audit.exportAudit,
  audit.exportAuditAsJson,
  // Pages
  ...pages.appPages,
  pages.loginPage,
  pages.setupPage,
  pages.passwordResetPage,
  pages.invitationPage,
  pages.asset,
  pages.builtAsset,
  pages.themeSheet,
  pages.previewTheme,
  pages.logoImage,
  pages.darkLogoImage,
  sharePages.sharePage,
  reversePages.reversePage,
  // Its description
  description.getApiDescription,
  // Health
  health.livez,
  health.readyz,
]

export function operationsOf(deps: OperationDeps): readonly Operation[] {
  return declarations.map((declare) => declare(deps))
}

/** The declarations alone, for the API description and the tests: their handlers do not work. */
export const operations = operationsOf({} as OperationDeps)
