import type { Database } from '../../src/database/connect.ts'
import { Gate, until } from './until.ts'

/** How many statements in a database wait for a lock. */
export async function countLockWaits({ sql }: Pick<Database, 'sql'>): Promise<number> {
  return sql<{ count: number }[]>`
    select count(*)
    from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.oneValue()
}

/** Holds the counted usage of an account: each change of it waits. */
export async function holdUsage(database: Database, userId: number) {
  const released = new Gate()
  const held = new Gate()
  const holding = database.begin(async (sql) => {
    await sql`select 1 from usage where user_id = ${userId} for update`
    held.open()
    await released.passed
  })
  await held.passed
  return {
    /** Until so many statements wait for a lock. */
    untilWaiting: (count: number) =>
      until(
        `${count} statements wait for a lock`,
        async () => (await countLockWaits(database)) >= count,
      ),
    async release(): Promise<void> {
      released.open()
      await holding
    },
  }
}
