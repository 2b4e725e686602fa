// Accounts, sign-in, and the data of accounts.
import { AccountAttempts } from '../accounts/attempts/account-attempts.ts'
import { ApiTokens } from '../accounts/api-tokens/api-tokens.ts'
import { Contacts } from '../accounts/contacts/contacts.ts'
import { AccountLinks } from '../accounts/invitations/account-links.ts'
import { Account } from '../accounts/own-account/account.ts'
import { PreferencesOfAccounts } from '../accounts/preferences/preferences.ts'
import { PasswordReset } from '../accounts/reset/password-reset.ts'
import { deleteResetsOf } from '../accounts/reset/sql.ts'
import { Enrolment } from '../accounts/second-factor/enrolment.ts'
import { Credentials } from '../accounts/sign-in/credentials.ts'
import { KnownClients } from '../accounts/sign-in/known-clients.ts'
import { Setup } from '../accounts/sign-in/setup.ts'
import { Auth } from '../accounts/sign-in/sign-in.ts'
import { Users, type Belongings } from '../accounts/users/users.ts'
import type { Basis, EmailServices, Surroundings } from './basis.ts'

export type SignInServices = ReturnType<typeof createSignIn>

/** Accounts, and the ways to act as one. */
export function createSignIn(
  { config, database, clock }: Surroundings,
  { audit, settings, cookies, tokens, passwords, secondFactor, limiters }: Basis,
  { notices, failureNotices }: EmailServices,
  belongings: readonly Belongings[],
) {
  const knownClients = new KnownClients({ database, tokens, clock })
  const auth = new Auth({
    database,
    audit,
    clock,
    passwords,
    tokens,
    secondFactor,
    settings,
    notices,
    knownClients,
    failureNotices,
  })
  const users = new Users({
    database,
    audit,
    passwords,
    clock,
    belongings,
    sessions: auth,
    endLinks: deleteResetsOf,
    notices,
  })
  const apiTokens = new ApiTokens({ database, audit, clock, passwords, secondFactor, notices })
  const signInAttempts = limiters.named.login
  return {
    knownClients,
    auth,
    users,
    apiTokens,
    signInAttempts,
    credentials: new Credentials({ auth, apiTokens, settings, cookies, baseUrl: config.baseUrl }),
    accountAttempts: new AccountAttempts({
      database,
      knownClients,
      signInAttempts,
      clock,
      audit,
      failureNotices,
    }),
    setup: new Setup(users),
  }
}

/** Services for the holders of accounts. */
export function createAccounts(
  { config, database, clock, log }: Surroundings,
  { audit, settings, passwords, secondFactor }: Basis,
  { emails, notices }: EmailServices,
  { auth, users, knownClients }: SignInServices,
) {
  const { baseUrl } = config
  const invitationUrl = (token: string) => `${baseUrl}/invitation#token=${token}`
  const resetUrl = (token: string) => `${baseUrl}/reset-password#token=${token}`
  return {
    account: new Account({
      database,
      audit,
      passwords,
      secondFactor,
      users,
      auth,
      notices,
      settings,
      clock,
    }),
    contacts: new Contacts({ database, audit, clock }),
    preferences: new PreferencesOfAccounts({ database, audit, settings, clock }),
    enrolment: new Enrolment({
      database,
      audit,
      clock,
      passwords,
      secondFactor,
      settings,
      auth,
      notices,
    }),
    passwordReset: new PasswordReset({
      database,
      audit,
      clock,
      log,
      emails,
      passwords,
      sessions: auth,
      notices,
      knownClients,
      resetUrl,
    }),
    accountLinks: new AccountLinks({
      database,
      audit,
      clock,
      emails,
      passwords,
      users,
      auth,
      invitationUrl,
      resetUrl,
    }),
  }
}
