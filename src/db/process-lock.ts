import type { Database } from './connect.ts'
import { Session, withHandler, type SessionOptions } from './session.ts'

const connectTimeoutMs = 5_000
const retryMs = 500

/** Keeps the advisory locks of job names apart from those of process ids. */
const jobLockClass = 1

/** Shows other processes on the same database that this one lives, and what it is at. */
export interface ProcessLock {
  /** Whether the process with this id holds its lock. */
  isAlive(processId: string): Promise<boolean>
  /**
   * Takes the job of this name for this process; null when another one has it. Returns what gives
   * it back. Held like the lock itself: a lost session loses it, so it may only spare work.
   */
  takeJob(name: string): Promise<(() => Promise<void>) | null>
  close(): Promise<void>
}

/**
 * Holds an advisory lock named by the process's id in a session of its own, and takes it again
 * whenever the session was lost. Nothing may depend on it being held without a gap: it only tells
 * others not to clean up behind a process that is still at work.
 * @throws what the first attempt to connect throws
 */
export async function holdProcessLock(
  processId: string,
  database: Database,
  options: Omit<SessionOptions, 'onLoss'>,
): Promise<ProcessLock> {
  let closed = false
  let timer: NodeJS.Timeout | null = null
  const takeAgain = () => {
    if (closed || timer) return
    timer = setTimeout(() => {
      timer = null
      if (!closed) take().catch(takeAgain)
    }, retryMs)
    timer.unref()
  }
  const session = new Session({ ...options, onLoss: takeAgain })
  const sql = withHandler(session.template, (query) => {
    session.run(query, performance.now() + connectTimeoutMs, () => {})
  })
  const take = async () => {
    await sql`select pg_advisory_lock(${lockKey(processId)}::bigint)`
  }
  await take()
  // A session has one user at a time; jobs take turns.
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(query: () => Promise<T>): Promise<T> => {
    const result = last.then(query)
    last = result.catch(() => {})
    return result
  }
  return {
    async isAlive(otherId) {
      if (otherId === processId) return true
      return database.begin(async (transaction) => {
        const [row] = await transaction<{ taken: boolean }[]>`
          select pg_try_advisory_xact_lock(${lockKey(otherId)}::bigint) as taken`
        return row?.taken === false
      })
    },
    async takeJob(name) {
      const [row] = await inTurn(
        async () => sql<{ taken: boolean }[]>`
          select pg_try_advisory_lock(${jobLockClass}::int, hashtext(${name})) as taken`,
      )
      if (!row?.taken) return null
      return async () => {
        // What cannot be given back was lost with its session.
        await inTurn(
          async () => sql`select pg_advisory_unlock(${jobLockClass}::int, hashtext(${name}))`,
        ).catch(() => {})
      }
    },
    async close() {
      closed = true
      if (timer) clearTimeout(timer)
      await session.close(1)
    },
  }
}

/** The first 64 bits of a random id, as PostgreSQL's bigint takes them. */
function lockKey(processId: string): string {
  return BigInt.asIntN(64, BigInt(`0x${processId.replaceAll('-', '').slice(0, 16)}`)).toString()
}
