import { api, ApiError } from './api.ts'
import { cookieProblem } from './cookie-problem.ts'
import { keep, readKept } from './kept.ts'
import { askPasskey, offerPasskeys } from './passkey.ts'
import type { User } from './session.ts'

interface SignedIn {
  readonly token: string
  readonly user: User
}

/** What a second step accepts. */
export type Methods = readonly ('code' | 'passkey')[]

type LoginAnswer =
  | SignedIn
  | { readonly requires2FA: true; readonly email: string; readonly methods: Methods }

const shortKey = 'short-session'

/** @param remember false for a session of 12 hours; without it, as at the last sign-in here */
export function login(email: string, password: string, remember?: boolean) {
  const body = { email, password, remember }
  return signIn('/api/auth/login', body)
}

/** A six-digit `code`, or a `recoveryCode`. */
export type Proof = { readonly code: string } | { readonly recoveryCode: string }

export function verifySecondFactor(
  email: string,
  password: string,
  proof: Proof,
  remember?: boolean,
) {
  const body = { email, password, remember, ...proof }
  return signIn('/api/auth/verify-2fa', body)
}

/** Ends a sign-in with a provider. */
export function verifyProvider(proof: Proof): Promise<LoginAnswer> {
  return signIn('/api/auth/oidc/verify-2fa', proof)
}

/** Null when the user cancels. */
export async function signInWithPasskey(remember?: boolean): Promise<SignedIn | null> {
  const answer = await askPasskey('auth')
  return answer && verifyPasskey(answer, remember)
}

/** Signs in with a passkey that the browser offers in the field of the email address. */
export function signInByAutofill(take: (signIn: SignIn) => Promise<void>): Promise<void> {
  return offerPasskeys((answer) => take((remember) => verifyPasskey(answer, remember)))
}

type SignIn = (remember: boolean) => Promise<SignedIn>

async function verifyPasskey(answer: object, remember?: boolean): Promise<SignedIn> {
  return (await signIn('/api/passkeys/auth/verify', { ...answer, remember })) as SignedIn
}

/** @throws ApiError also when the cookie of the new session does not come back */
async function signIn(path: string, given: object & { remember?: boolean | undefined }) {
  const { remember = readKept(shortKey) === null } = given
  const body = 'remember' in given ? { ...given, remember } : given
  const answer = await api<LoginAnswer>('POST', path, { body, keepUnauthorized: true })
  if ('requires2FA' in answer) return answer
  keep(shortKey, remember ? null : '')
  await api('GET', '/api/account', { keepUnauthorized: true }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 401) throw cookieProblem()
  })
  return answer
}
