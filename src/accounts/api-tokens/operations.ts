import * as v from 'valibot'
import { json, success } from '../../http/answer.ts'
import { jsonBody, ok, operation } from '../../http/operation.ts'
import { tokenScopes } from '../../lib/actor.ts'
import { moment, named, noted, present, successSchema, text, timestamp } from '../../http/schema.ts'
import {
  confirmationErrors,
  confirmationFields,
  readConfirmation,
} from '../second-factor/schemas.ts'
import * as tokens from './api-tokens.ts'
import { listApiTokens } from './sql.ts'
import type { AccountDeps } from '../deps.ts'

const own = { tag: 'API tokens', auth: 'user', scope: 'session' } as const

const scopeSchema = v.picklist(tokenScopes)
const chosenScopes = v.pipe(
  v.array(scopeSchema),
  v.minLength(1, `must contain at least one of ${tokenScopes.join(', ')}`),
  v.maxLength(tokenScopes.length, 'must contain each scope once'),
)

const tokenFields = {
  id: v.string(),
  name: v.string(),
  hint: noted(v.string(), 'First characters of the token'),
  scopes: noted(v.array(scopeSchema), 'Scopes of the token'),
  created_at: timestamp,
  expires_at: noted(v.nullable(timestamp), 'When it expires; null for never'),
  last_used_at: v.nullable(timestamp),
}
export const tokenSchema = named('ApiToken', v.object(tokenFields))
const tokenNameSchema = v.pipe(text(1, 100), v.trim(), v.minLength(1, 'must not be empty'))

export const listOwnApiTokens = (deps: AccountDeps) =>
  operation({
    id: 'listApiTokens',
    method: 'GET',
    path: '/api/tokens',
    summary: 'List API tokens of the account, newest first, without the secrets',
    ...own,
    answers: ok('The tokens', v.array(tokenSchema)),
    async handle({ actor }) {
      const found = await listApiTokens(deps.database.sql, actor.userId)
      return json(found.map(({ token }) => present(tokenSchema, token)))
    },
  })

export const createApiToken = (deps: AccountDeps) =>
  operation({
    id: 'createApiToken',
    method: 'POST',
    path: '/api/tokens',
    summary: 'Create an API token; requires the current password, and the token is shown only once',
    ...own,
    body: jsonBody(
      v.object({
        name: tokenNameSchema,
        scopes: noted(
          chosenScopes,
          'Scopes of the token; only administrators can choose `administer` and `metrics`',
        ),
        expiresAt: noted(v.nullable(moment), 'When it expires; null for never'),
        ...confirmationFields,
      }),
    ),
    answers: ok(
      'The token',
      v.object({
        success: v.boolean(),
        token: noted(v.string(), 'The token, shown only once'),
        ...tokenFields,
      }),
    ),
    errors: [...confirmationErrors, 'too_many_tokens'],
    async handle({ actor, body }) {
      const { token, row } = await deps.accountAttempts.confirm(actor, () =>
        tokens.create(deps, actor, body, readConfirmation(body)),
      )
      return json({ success: true, token, ...present(tokenSchema, row) })
    },
  })

export const deleteApiToken = (deps: AccountDeps) =>
  operation({
    id: 'deleteApiToken',
    method: 'DELETE',
    path: '/api/tokens/{tokenId}',
    summary: 'Revoke an API token and all upload tokens of the account',
    ...own,
    answers: ok('Ended', successSchema),
    async handle({ actor, params }) {
      await tokens.remove(deps, actor, params['tokenId']!, actor.userId)
      return success()
    },
  })
