// API tokens, created through the API by signed-in clients.
import * as assert from 'uvu/assert'
import { administratorScopes, tokenScopes } from '../../src/lib/actor.ts'
import type { Client } from './client.ts'
import { adminEmail, adminPassword } from './service.ts'

export interface MadeApiToken {
  readonly token: string
  readonly id: string
}

/**
 * The body of a request for a token: all scopes of the account, without expiry. Accounts of tests
 * have the password that service.ts gives them.
 */
export async function apiTokenInput(client: Client, input: object = {}): Promise<object> {
  const { email, is_admin: isAdmin } = (await client.get('/api/account')).json()
  const scopes = tokenScopes.filter((scope) => isAdmin || !administratorScopes.includes(scope))
  const currentPassword = email === adminEmail ? adminPassword : `password of ${email}`
  return { name: 'script', scopes, expiresAt: null, currentPassword, ...input }
}

export async function makeApiToken(client: Client, input: object = {}): Promise<MadeApiToken> {
  const answer = await client.post('/api/tokens', await apiTokenInput(client, input))
  assert.is(answer.status, 200, answer.body.toString())
  return answer.json()
}
