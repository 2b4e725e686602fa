import type { Audit } from '../audit/audit.ts'
import type { Database } from '../database/connect.ts'
import type { Emails } from '../email/emails.ts'
import type { AddressPrivacy } from '../http/client-ip.ts'
import type { Cookies } from '../http/headers.ts'
import type { LimitExchange, Limiter } from '../http/rate-limit.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Settings } from '../settings/settings.ts'
import type { AccountAttempts } from './attempts/account-attempts.ts'
import type { FailureNotices, Notices } from './notices/notices.ts'
import type { ProviderClients } from './oidc/clients.ts'
import type { Flows } from './oidc/flows.ts'
import type { Providers } from './oidc/providers.ts'
import type { ProviderTest } from './oidc/report.ts'
import type { ProviderSignIn } from './oidc/sign-in.ts'
import type { Passwords } from './passwords/passwords.ts'
import type { Passkeys } from './passkeys/passkeys.ts'
import type { ProxyUsers } from './proxy/proxy-users.ts'
import type { PasswordReset } from './reset/password-reset.ts'
import type { SecondFactor } from './second-factor/second-factor.ts'
import type { Credentials } from './sign-in/credentials.ts'
import type { Keys } from './sign-in/keys.ts'
import type { Setup } from './sign-in/setup.ts'
import type { Auth } from './sign-in/sign-in.ts'
import type { Tokens } from './sign-in/tokens.ts'
import type { SignUp } from './sign-up/sign-up.ts'
import type { Users } from './users/users.ts'

/** What app.ts has built below accounts. */
export interface AccountBasis {
  readonly database: Database
  readonly audit: Audit
  readonly settings: Settings
  readonly emails: Emails
  readonly clock: Clock
  readonly log: Log
  /** Base of links: BASE_URL. */
  readonly baseUrl: string
  readonly invitationUrl: (token: string) => string
  readonly resetUrl: (token: string) => string
  readonly signUpUrl: (token: string) => string
  /** How much of an IP address third parties see. */
  readonly shownAddresses: () => AddressPrivacy
  readonly keys: Keys
  readonly cookies: Cookies
  readonly tokens: Tokens
  readonly passwords: Passwords
  readonly secondFactor: SecondFactor
  readonly notices: Notices
  readonly failureNotices: FailureNotices
  readonly limitExchange: LimitExchange
}

/** The same with the ways to act as an account. */
export interface SignInDeps extends AccountBasis {
  /** Attempts to sign in, per address; the listener takes the tokens. */
  readonly signInAttempts: Limiter
  readonly auth: Auth
  readonly users: Users
  readonly proxyUsers: ProxyUsers
}

/** What operations on accounts use. */
export interface AccountDeps extends SignInDeps {
  readonly accountAttempts: AccountAttempts
  readonly credentials: Credentials
  readonly setup: Setup
  readonly passkeys: Passkeys
  readonly providerClients: ProviderClients
  readonly providers: Providers
  readonly flows: Flows
  readonly providerSignIn: ProviderSignIn
  readonly providerTest: ProviderTest
  readonly passwordReset: PasswordReset
  readonly signUp: SignUp
}
