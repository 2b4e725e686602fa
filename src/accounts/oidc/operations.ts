import * as v from 'valibot'
import { json, redirect, success, type Answer } from '../../http/answer.ts'
import { readBody } from '../../http/body.ts'
import { jsonBody, ok, operation } from '../../http/operation.ts'
import type { RequestContext } from '../../http/request-context.ts'
import { named, noted, optional, present, successSchema, text } from '../../http/schema.ts'
import { CodedError } from '../../lib/errors.ts'
import { requireFreshSession } from '../../lib/fresh-session.ts'
import type { AccountDeps } from '../deps.ts'
import { readProof, withProof } from '../second-factor/schemas.ts'
import { loggedIn, originOf, remember, sessionSchema } from '../sign-in/signed-in.ts'
import type { Flow } from './flows.ts'
import { requireSession } from '../sign-in/sign-in.ts'
import { unlink, expired, type Outcome } from './sign-in.ts'
import * as logout from './logout.ts'
import { buttonSchema, identitySchema } from './schemas.ts'
import * as rows from './sql.ts'

const tag = 'Sign-in providers'
const open = { tag, auth: 'none' } as const
const own = { tag, auth: 'user', scope: 'session', beforeEnrolment: true } as const
const logoutBytesMax = 16 * 1024
const sectionOfAccount = '/account/providers'

const urlSchema = named(
  'ProviderPage',
  v.object({ url: noted(v.string(), 'Page of the provider, to open in the browser') }),
)

export const startProviderSignIn = (deps: AccountDeps) =>
  operation({
    id: 'startProviderSignIn',
    method: 'POST',
    path: '/api/auth/oidc/{provider}/start',
    summary: 'Begin a sign-in with a provider; the cookie ties its answer to this browser',
    ...open,
    limit: { name: 'login', counts: 'valid' },
    body: jsonBody(
      v.object({
        remember,
        returnTo: noted(
          optional(v.pipe(text(1, 300), v.regex(/^\/[\x21-\x7e]*$/, 'must be a path'))),
          'Path of this service to continue at; without the path of BASE_URL',
          '/shares',
        ),
        again: noted(
          optional(v.boolean()),
          'True if the provider has to ask again who the user is, to confirm changes afterwards',
        ),
      }),
    ),
    answers: ok('Where to continue', urlSchema, ['Set-Cookie']),
    errors: ['provider_refused', 'provider_unreachable'],
    async handle({ params, body }) {
      const { url, cookie } = await deps.providerSignIn.start(params['provider']!, {
        purpose: { kind: 'sign_in' },
        returnTo: body.returnTo ?? '/',
        isRemembered: body.remember ?? true,
        asksAgain: body.again ?? false,
      })
      return json({ url }, { cookies: [cookie] })
    },
  })

export const answerOfProvider = (deps: AccountDeps) =>
  operation({
    id: 'answerOfProvider',
    method: 'GET',
    path: '/api/auth/oidc/{provider}/callback',
    summary: 'Take the answer of a provider: the redirect URI to register there',
    description:
      'Signs in, links the identity to the account, or asks for a code, and redirects to the ' +
      'page that continues. After a failure, `problem` in its query is the error code.',
    ...open,
    answers: { 302: { description: 'Where to continue', headers: ['Location', 'Set-Cookie'] } },
    async handle({ context, params, search }) {
      const flow = deps.flows.find(context.header('cookie'))
      try {
        if (!flow || flow.providerId !== params['provider']) throw expired()
        return await takeAnswer(deps, flow, { context, search })
      } catch (error) {
        const code = error instanceof CodedError ? error.code : 'internal'
        if (code === 'internal') deps.log.error('sign-in with a provider failed', { cause: error })
        const page = flow?.purpose.kind === 'link' ? sectionOfAccount : '/login'
        return goTo(deps, `${page}?problem=${code}`, [deps.flows.clearedCookie()])
      }
    },
  })

async function takeAnswer(
  deps: AccountDeps,
  flow: Flow,
  { context, search }: { readonly context: RequestContext; readonly search: URLSearchParams },
): Promise<Answer> {
  const cleared = deps.flows.clearedCookie()
  if (flow.purpose.kind === 'code') throw expired()
  if (flow.purpose.kind === 'test') {
    await deps.providerTest.answer(flow, search)
    return goTo(deps, `/admin/providers?report=${flow.providerId}`, [cleared])
  }
  const origin = originOf(deps, { context }, flow.isRemembered)
  const outcome: Outcome = await deps.providerSignIn.answer(flow, search, origin)
  if (outcome.kind === 'linked') return goTo(deps, sectionOfAccount, [cleared])
  if (outcome.kind === 'signed_in') {
    const { cookies } = loggedIn(deps.credentials, outcome.session)
    return goTo(deps, flow.returnTo, [...cookies, cleared])
  }
  // A passkey signs in by itself.
  const step = outcome.methods.includes('code') ? 'code' : 'passkey'
  const next = encodeURIComponent(flow.returnTo)
  return goTo(deps, `/login?step=${step}&next=${next}`, [outcome.cookie])
}

/** Whole addresses, because a path alone may name another host. */
function goTo({ baseUrl }: AccountDeps, path: string, cookies: readonly string[]): Answer {
  return redirect(baseUrl + path, 302, cookies)
}

export const verifyProviderSignIn = (deps: AccountDeps) =>
  operation({
    id: 'verifyProviderSignIn',
    method: 'POST',
    path: '/api/auth/oidc/verify-2fa',
    summary: 'End a sign-in with a provider by the second factor of the account',
    ...open,
    limit: { name: 'login', counts: 'valid' },
    body: jsonBody(withProof({})),
    answers: ok('Signed in', sessionSchema, ['Set-Cookie']),
    errors: [
      'wrong_code',
      'sign_in_expired',
      'account_exists',
      'account_disabled',
      'email_not_verified',
      'no_account',
      'not_found',
      'identity_taken',
    ],
    async handle({ context, body }) {
      const { flows, providerSignIn, accountAttempts, credentials } = deps
      const flow = flows.find(context.header('cookie'))
      if (!flow) throw expired()
      const proof = readProof(body)
      const origin = originOf(deps, { context }, flow.isRemembered)
      const email = await providerSignIn.emailOf(flow)
      const session = await accountAttempts.verify(email, origin, () =>
        providerSignIn.verify(flow, proof, origin),
      )
      const answer = loggedIn(credentials, session)
      return { ...answer, cookies: [...answer.cookies, flows.clearedCookie()] }
    },
  })

export const signOut = (deps: AccountDeps) =>
  operation({
    id: 'signOut',
    method: 'POST',
    path: '/api/auth/oidc/sign-out',
    summary:
      'End the session, as `logout` does, and get the page that ends the one of its provider',
    ...own,
    answers: ok(
      'Signed out',
      v.object({
        url: noted(v.nullable(v.string()), 'Null for a session that no provider has started'),
      }),
      ['Set-Cookie'],
    ),
    async handle({ actor }) {
      const url = await logout.signOut(deps, actor)
      return json({ url }, { cookies: [deps.credentials.clearedCookie()] })
    },
  })

export const endProviderSession = (deps: AccountDeps) =>
  operation({
    id: 'endProviderSession',
    method: 'POST',
    path: '/api/auth/oidc/{provider}/logout',
    summary: 'End the sessions that a logout token names: for providers, by back-channel logout',
    ...open,
    body: {
      kind: 'binary',
      contentType: 'application/x-www-form-urlencoded',
      description: '`logout_token`: a JWT (OpenID Connect Back-Channel Logout 1.0)',
    },
    answers: ok('Ended', successSchema),
    errors: ['wrong_logout_token', 'provider_unreachable'],
    async handle({ context, params, ip }) {
      const body = await readBody(context, logoutBytesMax)
      const token = new URLSearchParams(body.toString('utf8')).get('logout_token') ?? ''
      await logout.end(deps, params['provider']!, token, ip)
      return success()
    },
  })

export const listIdentities = (deps: AccountDeps) =>
  operation({
    id: 'listIdentities',
    method: 'GET',
    path: '/api/account/identities',
    summary: 'List the linked identities of the account, newest first, and the providers',
    ...own,
    answers: ok(
      'The identities',
      v.object({
        identities: v.array(identitySchema),
        providers: noted(v.array(buttonSchema), 'Those that can be linked'),
      }),
    ),
    async handle({ actor }) {
      const [linked, providers] = await Promise.all([
        rows.listIdentities(deps.database.sql, actor.userId),
        deps.providers.list(),
      ])
      return json({
        identities: linked.map((row) => present(identitySchema, row)),
        providers: providers.map(({ id, name }) => ({ id, name })),
      })
    },
  })

export const linkIdentity = (deps: AccountDeps) =>
  operation({
    id: 'linkIdentity',
    method: 'POST',
    path: '/api/auth/oidc/{provider}/link',
    summary: 'Begin to link an identity at a provider to the account',
    ...own,
    answers: ok('Where to continue', urlSchema, ['Set-Cookie']),
    errors: ['confirmation_required', 'provider_refused', 'provider_unreachable'],
    async handle({ actor, params }) {
      requireFreshSession(actor)
      const { url, cookie } = await deps.providerSignIn.start(params['provider']!, {
        purpose: { kind: 'link', userId: actor.userId, sessionId: requireSession(actor) },
        returnTo: '/',
        isRemembered: true,
      })
      return json({ url }, { cookies: [cookie] })
    },
  })

export const unlinkIdentity = (deps: AccountDeps) =>
  operation({
    id: 'unlinkIdentity',
    method: 'DELETE',
    path: '/api/account/identities/{identityId}',
    summary: 'Unlink an identity; ends the other sessions that it started, and all upload tokens',
    ...own,
    answers: ok('Unlinked', successSchema),
    errors: ['confirmation_required', 'last_sign_in'],
    async handle({ actor, params }) {
      requireFreshSession(actor)
      await unlink(deps, actor, params['identityId']!)
      return success()
    },
  })
