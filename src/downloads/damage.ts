import type { Database, Sql } from '../db/connect.ts'
import type { Clock } from '../lib/clock.ts'
import { isSystemError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import { DamagedContent } from './filler.ts'
import { markDamaged } from './damage-sql.ts'

/** Who is told of a damaged file, once each. */
export interface DamageWitness {
  /** Inside the transaction that marks the file. */
  fileDamaged(sql: Sql, fileId: number): Promise<void>
  /** Once that is committed. */
  send(): void
}

export interface DamageParts {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly damageWitness: DamageWitness
}

/** Marks the file that a transfer was cut for and tells its owner; other errors are not its. */
export async function reportDamage(parts: DamageParts, error: unknown): Promise<void> {
  if (!(error instanceof DamagedContent)) return
  const { database, clock, log, damageWitness } = parts
  const { fileId } = error
  if (isSystemError(error.cause, 'ENOENT')) {
    log.warn('a file was deleted while it was sent', { file: fileId })
    return
  }
  log.error('a file is damaged on disk', { file: fileId, cause: error })
  try {
    await database.begin(async (sql) => {
      const isNew = await markDamaged(sql, fileId, new Date(clock.now()))
      if (isNew) await damageWitness.fileDamaged(sql, fileId)
    })
    damageWitness.send()
  } catch (failure) {
    log.warn('a damaged file could not be marked', { file: fileId, cause: failure })
  }
}
