import type { Operation } from '../http/operation.ts'
import * as apiTokens from './api-tokens/operations.ts'
import * as contacts from './contacts/operations.ts'
import type { AccountDeps } from './deps.ts'
import * as links from './invitations/operations.ts'
import * as providers from './oidc/admin-operations.ts'
import * as oidc from './oidc/operations.ts'
import * as account from './own-account/operations.ts'
import * as passkeys from './passkeys/operations.ts'
import { getPreferences, putPreferences } from './preferences/operations.ts'
import * as proxy from './proxy/operations.ts'
import * as reset from './reset/operations.ts'
import * as secondFactor from './second-factor/operations.ts'
import * as signUp from './sign-up/operations.ts'
import { login, logout, setup, verify2fa, verifySetup } from './sign-in/operations.ts'
import { createUser, deleteUser, listUsers, updateUser } from './users/operations.ts'

/** For signing in, and for people without an account. */
const authentication = [
  login,
  verify2fa,
  logout,
  account.confirmLogin,
  passkeys.getPasskeySignInOptions,
  passkeys.signInWithPasskey,
  oidc.startProviderSignIn,
  oidc.answerOfProvider,
  oidc.verifyProviderSignIn,
  oidc.endProviderSession,
  oidc.signOut,
  proxy.signInByProxy,
  verifySetup,
  setup,
  reset.requestPasswordReset,
  reset.verifyPasswordReset,
  reset.completePasswordReset,
  signUp.requestSignUp,
  signUp.verifySignUp,
  signUp.confirmSignUp,
  links.verifyInvitation,
  links.acceptInvitation,
]

/** All operations on accounts and for signing in. */
export function accountOperations(deps: AccountDeps): Operation[] {
  return [
    ...authentication,
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
    getPreferences,
    putPreferences,
    apiTokens.listOwnApiTokens,
    apiTokens.createApiToken,
    apiTokens.deleteApiToken,
    secondFactor.getSecondFactorStatus,
    secondFactor.setupSecondFactor,
    secondFactor.enableSecondFactor,
    secondFactor.renewRecoveryCodes,
    secondFactor.disableSecondFactor,
    passkeys.listPasskeys,
    passkeys.getPasskeyRegistrationOptions,
    passkeys.registerPasskey,
    passkeys.getPasskeyConfirmationOptions,
    passkeys.renamePasskey,
    passkeys.deletePasskey,
    oidc.listIdentities,
    oidc.linkIdentity,
    oidc.unlinkIdentity,
    // Users and sign-in providers, for administrators
    listUsers,
    createUser,
    links.inviteUser,
    links.inviteUserAgain,
    links.createResetLink,
    updateUser,
    deleteUser,
    secondFactor.resetUserSecondFactor,
    providers.listProviders,
    providers.addProvider,
    providers.updateProvider,
    providers.deleteProvider,
    providers.testProvider,
    providers.getProviderReport,
  ].map((declare) => declare(deps))
}
