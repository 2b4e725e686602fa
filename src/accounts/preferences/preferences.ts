// Initial values of a new share in the web UI (the API uses the defaults of the settings), and how
// emails are written to the account.
import { changedFields } from '../../audit/changed-fields.ts'
import type { UserActor } from '../../lib/actor.ts'
import { requireFound } from '../../lib/errors.ts'
import { chooseExpiration } from '../../settings/expiry.ts'
import { lockUserForChange } from '../users/sql.ts'
import { targetOf } from '../users/users.ts'
import { findPreferences, writePreferences, type PreferencesRow } from './sql.ts'
import type { AccountBasis } from '../deps.ts'

/** Choices of an account; absent and null for none. */
type Chosen = { readonly [Key in keyof PreferencesRow]?: PreferencesRow[Key] | undefined }

/** Preferences with their effective values. */
export interface Preferences extends PreferencesRow {
  /** The value in effect of `startRightAway`: the choice of the account, or the setting. */
  readonly startsRightAway: boolean
}

const nothing: PreferencesRow = {
  expirationVal: null,
  expirationUnit: null,
  maxDownloads: null,
  message: null,
  startRightAway: null,
  language: null,
  timeZone: null,
}

/** The actor's preferences. */
export async function read(deps: AccountBasis, actor: UserActor): Promise<Preferences> {
  const row = await findPreferences(deps.database.sql, actor.userId)
  return show(deps, row ?? nothing)
}

/**
 * Replaces all earlier choices.
 * @throws CodedError invalid_input for a time above the maximum, unauthorized
 */
export async function write(
  deps: AccountBasis,
  actor: UserActor,
  chosen: Chosen,
): Promise<Preferences> {
  const { database, audit, settings, clock } = deps
  const next = complete(chosen)
  const { expirationVal, expirationUnit } = next
  chooseExpiration(expirationVal, expirationUnit, settings.values, new Date(clock.now()))
  await database.begin(async (sql) => {
    const user = requireFound(await lockUserForChange(sql, actor.userId), 'unauthorized')
    const old = (await findPreferences(sql, actor.userId)) ?? nothing
    const fields = changedFields(old, next)
    if (fields.length === 0) return
    await writePreferences(sql, actor.userId, next)
    await audit.record(sql, actor, 'account.changed', targetOf(user), { fields })
  })
  return show(deps, next)
}

/** A time always has a unit, and an empty message counts as none. */
function complete(chosen: Chosen): PreferencesRow {
  const expirationVal = chosen.expirationVal ?? null
  return {
    expirationVal,
    expirationUnit: expirationVal === null ? null : (chosen.expirationUnit ?? 'Days'),
    maxDownloads: chosen.maxDownloads ?? null,
    message: chosen.message || null,
    startRightAway: chosen.startRightAway ?? null,
    language: chosen.language ?? null,
    timeZone: chosen.timeZone || null,
  }
}

function show({ settings }: AccountBasis, row: PreferencesRow): Preferences {
  const { startRightAway } = settings.values
  return { ...row, startsRightAway: row.startRightAway ?? startRightAway }
}
