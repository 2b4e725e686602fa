import * as v from 'valibot'
import { json, success } from '../../http/answer.ts'
import { jsonBody, operation, textBytesMax } from '../../http/operation.ts'
import { noted, successSchema } from '../../http/schema.ts'
import { requireFreshSession } from '../../lib/fresh-session.ts'
import type { AccountDeps } from '../deps.ts'
import { redirectUriOf } from './exchange.ts'
import { newProviderSchema, providerInputSchema, providerSchema, reportSchema } from './schemas.ts'
import type { Provider } from './sql.ts'

const path = '/api/admin/providers'
const administration = { tag: 'Sign-in providers', auth: 'admin', scope: 'session' } as const
const readErrors = ['unauthorized', 'forbidden', 'api_token_not_allowed'] as const
const changeErrors = [...readErrors, 'cross_site', 'confirmation_required'] as const

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
    answers: { 200: { description: 'The providers', schema: v.array(providerSchema) } },
    errors: [...readErrors],
    async handle() {
      return json((await deps.providers.list()).map((provider) => present(deps, provider)))
    },
  })

export const addProvider = (deps: AccountDeps) =>
  operation({
    id: 'addProvider',
    method: 'POST',
    path,
    summary: 'Add a sign-in provider (OpenID Connect)',
    ...administration,
    body: jsonBody(newProviderSchema, textBytesMax),
    answers: { 200: { description: 'Added', schema: providerSchema } },
    errors: ['invalid_input', ...changeErrors, 'conflict'],
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
    summary: 'Replace the fields of a sign-in provider, except an absent secret',
    ...administration,
    body: jsonBody(providerInputSchema, textBytesMax),
    answers: { 200: { description: 'Changed', schema: providerSchema } },
    errors: ['invalid_input', ...changeErrors, 'not_found'],
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
    summary: 'Remove a sign-in provider, and end the sessions that it started',
    ...administration,
    answers: { 200: { description: 'Removed', schema: successSchema } },
    errors: [...changeErrors, 'not_found', 'no_other_sign_in'],
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
    answers: {
      200: {
        description: 'What has worked so far',
        schema: v.object({
          report: reportSchema,
          url: noted(
            v.nullable(v.string()),
            'Page of the provider for the sign-in, after which there is another report',
          ),
        }),
        headers: ['Set-Cookie'],
      },
    },
    errors: [...readErrors, 'cross_site', 'not_found', 'provider_unreachable', 'provider_refused'],
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
    answers: { 200: { description: 'The report', schema: reportSchema } },
    errors: [...readErrors, 'not_found'],
    async handle({ params }) {
      return json(deps.providerTest.read(params['provider']!))
    },
  })
