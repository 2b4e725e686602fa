import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { administratorScopes, tokenScopes } from '../../lib/actor.ts'
import type { Manager, TokenScope, UserActor } from '../../lib/actor.ts'
import { CodedError, invalidInput, requireFound } from '../../lib/errors.ts'
import { hashToken, randomRowId } from '../../lib/random-id.ts'
import type { CredentialHolder } from '../sign-in/sign-in.ts'
import { confirmIdentity, lockOwnAccount, type Confirmation } from '../own-account/own-account.ts'
import * as rows from './sql.ts'
import type { SignInDeps } from '../deps.ts'

const touchEveryMs = 5 * 60_000
const tokensMax = 100
const prefix = 'transfer_'
const hintLength = prefix.length + 4

export interface NewApiToken {
  readonly name: string
  readonly scopes: readonly TokenScope[]
  /** Null for a token without an end. */
  readonly expiresAt: Date | null
}

/**
 * Makes a token. Only this answer contains it, because only its hash is stored.
 * @throws CodedError invalid_input for an end in the past, or a scope that exceeds the account;
 *   too_many_tokens; errors of `confirmIdentity`
 */
export async function create(
  deps: SignInDeps,
  actor: UserActor,
  input: NewApiToken,
  confirmation: Confirmation | null,
): Promise<{ token: string; row: rows.ApiToken }> {
  const { audit, clock, emails, notices } = deps
  const createdAt = new Date(clock.now())
  const { name, expiresAt } = input
  if (expiresAt && expiresAt <= createdAt) throw invalidInput('expiresAt', 'must be in the future')
  const beyond = input.scopes.find((scope) => administratorScopes.includes(scope))
  if (beyond && !actor.isAdmin)
    throw invalidInput('scopes', `may contain ${beyond} only for administrators`)
  const scopes = tokenScopes.filter((scope) => input.scopes.includes(scope))
  const confirmed = await confirmIdentity(deps, actor, confirmation)
  const token = createToken()
  const hint = token.slice(0, hintLength)
  const row = { id: randomRowId(), name, hint, scopes, createdAt, expiresAt, lastUsedAt: null }
  await emails.begin(async (sql) => {
    const user = await lockOwnAccount(sql, actor, confirmed)
    if ((await rows.countApiTokens(sql, actor.userId)) >= tokensMax) {
      throw new CodedError('too_many_tokens', { details: { limit: tokensMax } })
    }
    const { userId } = actor
    await rows.insertApiToken(sql, { ...row, userId, tokenHash: hashToken(token) })
    await audit.record(sql, actor, 'api_token.created', { id: row.id, name }, { scopes })
    await notices.write(sql, user, 'api_token_created', actor)
  })
  return { token, row }
}

/**
 * Ends a token and every upload token of its account, because the token may have made some.
 * @param ownerId the account that must have it; null for any
 * @throws CodedError not_found
 */
export async function remove(
  { database, audit }: SignInDeps,
  actor: Manager,
  tokenId: string,
  ownerId: number | null,
): Promise<void> {
  await database.begin(async (sql) => {
    await rows.endUploadTokensOfOwner(sql, tokenId, ownerId)
    const deleted = requireFound(await rows.deleteApiToken(sql, tokenId, ownerId))
    await audit.record(sql, actor, 'api_token.revoked', { id: tokenId, name: deleted.name })
  })
}

/** The user behind a token at the moment; null when it has ended or never existed. */
export async function findTokenHolder(
  deps: SignInDeps,
  token: string,
  ip: string,
): Promise<CredentialHolder | null> {
  if (!isWellFormed(token)) return null
  const { database, clock } = deps
  const now = clock.now()
  const row = await rows.findLiveApiToken(database.sql, hashToken(token), new Date(now))
  if (!row) return null
  if (row.lastUsedAt === null || Math.abs(now - row.lastUsedAt.getTime()) > touchEveryMs) {
    await rows.touchApiToken(database.sql, row.id, new Date(now))
  }
  const { userId, scopes, hasSecondFactor } = row
  // Without the scope the token has no administrator's rights anywhere.
  const isAdmin = row.isAdmin && scopes.includes('administer')
  return {
    actor: { kind: 'user', userId, isAdmin, sessionId: null, ip },
    isAdministrator: row.isAdmin,
    scopes,
    hasSecondFactor,
  }
}

/**
 * `transfer_` + 64 hex digits (256 random bits) + 8 hex digits (CRC-32 of everything before them).
 * Prefix and checksum let scanners for leaked secrets recognise tokens without asking us; the
 * pattern is `transfer_[0-9a-f]{72}`.
 */
function createToken(): string {
  const text = prefix + randomBytes(32).toString('hex')
  return text + checksum(text)
}

/** Whether it can be one of our tokens; others are not looked up. */
export function isWellFormed(token: string): boolean {
  return /^transfer_[0-9a-f]{72}$/.test(token) && checksum(token.slice(0, -8)) === token.slice(-8)
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0')
}
