import * as v from 'valibot'
import { json, success } from '../../http/answer.ts'
import { jsonBody, ok, operation, textBytesMax } from '../../http/operation.ts'
import { noted, successSchema } from '../../http/schema.ts'
import { requireFreshSession } from '../../lib/fresh-session.ts'
import type { AccountDeps } from '../deps.ts'
import { redirectUriOf } from './exchange.ts'
import { newProviderSchema, providerInputSchema, providerSchema, reportSchema } from './schemas.ts'
import type { Provider } from './sql.ts'

const path = '/api/admin/providers'
const administration = { tag: 'Sign-in providers', auth: 'admin', scope: 'session' } as const

function present(
  { baseUrl }: AccountDeps,
  { secretSealed, ...shown }: Provider,
): v.InferOutput<typeof providerSchema> {
  return {
    ...shown,
    createdAt: shown.createdAt.toISOString(),
    hasSecret: secretSealed !== null,
    redirectUri: redirectUriOf(baseUrl, shown.id),
    logoutUri: `${baseUrl}/api/auth/oidc/${shown.id}/logout`,
  }
}

export const listProviders = (deps: AccountDeps) =>
  operation({
    id: 'listProviders',
    method: 'GET',
    path,
    summary: 'List all sign-in providers, by name',
    ...administration,
    answers: ok('The providers', v.array(providerSchema)),
    handle: async () =>
      json((await deps.providers.list()).map((provider) => present(deps, provider))),
  })

export const addProvider = (deps: AccountDeps) =>
  operation({
    id: 'addProvider',
    method: 'POST',
    path,
    summary: 'Add a sign-in provider (OpenID Connect)',
    ...administration,
    body: jsonBody(newProviderSchema, textBytesMax),
    answers: ok('Added', providerSchema),
    errors: ['conflict', 'confirmation_required'],
    async handle({ actor, body: { id, ...input } }) {
      requireFreshSession(actor)
      return json(present(deps, await deps.providers.add(actor, id, input)))
    },
  })

export const updateProvider = (deps: AccountDeps) =>
  operation({
    id: 'updateProvider',
    method: 'PUT',
    path: `${path}/{provider}`,
    summary:
      'Replace the fields of a sign-in provider, except an absent secret; another issuer ends ' +
      'the sessions of the former one',
    ...administration,
    body: jsonBody(providerInputSchema, textBytesMax),
    answers: ok('Changed', providerSchema),
    errors: ['no_other_sign_in', 'confirmation_required'],
    load: ({ params }) => deps.providers.find(params['provider']!),
    async handle({ actor, body }, { id }) {
      requireFreshSession(actor)
      return json(present(deps, await deps.providers.change(actor, id, body)))
    },
  })

export const deleteProvider = (deps: AccountDeps) =>
  operation({
    id: 'deleteProvider',
    method: 'DELETE',
    path: `${path}/{provider}`,
    summary:
      'Remove a sign-in provider; ends the sessions that it started, and all upload tokens of ' +
      'their accounts',
    ...administration,
    answers: ok('Removed', successSchema),
    errors: ['no_other_sign_in', 'confirmation_required'],
    load: ({ params }) => deps.providers.find(params['provider']!),
    async handle({ actor }, { id }) {
      requireFreshSession(actor)
      await deps.providers.remove(actor, id)
      return success()
    },
  })

export const testProvider = (deps: AccountDeps) =>
  operation({
    id: 'testProvider',
    method: 'POST',
    path: `${path}/{provider}/test`,
    summary: 'Try a sign-in provider: its metadata, its keys, and then a sign-in without a session',
    ...administration,
    answers: ok(
      'What has worked so far',
      v.object({
        report: reportSchema,
        url: noted(
          v.nullable(v.string()),
          'Page of the provider for the sign-in, after which there is another report',
        ),
      }),
      ['Set-Cookie'],
    ),
    errors: ['provider_unreachable', 'provider_refused'],
    load: ({ params }) => deps.providers.find(params['provider']!),
    async handle(_call, { id }) {
      const started = await deps.providerTest.start(id)
      return json(
        { report: deps.providerTest.read(id), url: started?.url ?? null },
        { cookies: started ? [started.cookie] : [] },
      )
    },
  })

export const getProviderReport = (deps: AccountDeps) =>
  operation({
    id: 'getProviderReport',
    method: 'GET',
    path: `${path}/{provider}/report`,
    summary: 'Get the report of the last test of a sign-in provider since the start',
    ...administration,
    answers: ok('The report', reportSchema),
    handle: async ({ params }) => json(deps.providerTest.read(params['provider']!)),
  })
