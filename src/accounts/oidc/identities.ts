import type { Sql } from '../../database/connect.ts'
import type { UserActor } from '../../lib/actor.ts'
import { CodedError } from '../../lib/errors.ts'
import type { AccountBasis } from '../deps.ts'
import { lockOwnAccount } from '../own-account/own-account.ts'
import { countPasskeys } from '../passkeys/sql.ts'
import { requireSession } from '../sign-in/sign-in.ts'
import { endUploadTokensOf } from '../sign-in/sql.ts'
import type { User } from '../users/sql.ts'
import * as rows from './sql.ts'

/**
 * Unlinks an identity, and ends the sessions that it started, except the actor's, and all upload
 * tokens.
 * @throws CodedError not_found, last_sign_in, unauthorized
 */
export async function unlink(deps: AccountBasis, actor: UserActor, id: string): Promise<void> {
  const { database, audit, notices } = deps
  await database.begin(async (sql) => {
    const user = await lockOwnAccount(sql, actor)
    await rows.releaseFromIdentity(sql, requireSession(actor), id)
    const removed = await rows.deleteIdentity(sql, user.id, id)
    if (!removed) throw new CodedError('not_found')
    await requireWayIn(deps, sql, user)
    // The sessions that end with it may have made some.
    await endUploadTokensOf(sql, user.id)
    await audit.record(sql, actor, 'identity.unlinked', { id, name: removed.name })
    await notices.write(sql, user, 'identity_unlinked', actor)
  })
  notices.send()
}

/**
 * Requires that the holder of an account can still sign in; call it after a change.
 * @throws CodedError last_sign_in
 */
export async function requireWayIn(
  { settings }: AccountBasis,
  sql: Sql,
  { id, passwordHash }: User,
): Promise<void> {
  if (settings.values.passwordSignIn && passwordHash !== '') return
  if ((await countPasskeys(sql, id)) > 0) return
  if ((await rows.countUsableIdentities(sql, id)) > 0) return
  throw new CodedError('last_sign_in')
}
