import type { Database } from '../../src/database/connect.ts'
import { until } from './until.ts'

/** Holds the counted usage of an account, so that whatever changes it waits. */
export async function holdUsage(database: Database, userId: number) {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let isHeld = () => {}
  const held = new Promise<void>((resolve) => {
    isHeld = resolve
  })
  const holding = database.begin(async (sql) => {
    await sql`select 1 from usage where user_id = ${userId} for update`
    isHeld()
    await released
  })
  await held
  return {
    /** Until so many statements wait for a lock. */
    untilWaiting: (count: number) =>
      until(`${count} statements wait for a lock`, async () => {
        const waiting = await database.sql`
          select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`
        return waiting.count >= count
      }),
    async release(): Promise<void> {
      release()
      await holding
    },
  }
}
