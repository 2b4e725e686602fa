import type { Database } from './connect.ts'
import { Session, withHandler, type SessionOptions } from './session.ts'

const connectTimeoutMs = 5_000
const retryMs = 500

/** Shows other processes on the same database that this one lives. */
export interface ProcessLock {
  /** Whether the process with this id holds its lock. */
  isAlive(processId: string): Promise<boolean>
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
  return {
    async isAlive(otherId) {
      if (otherId === processId) return true
      return database.begin(async (transaction) => {
        const [row] = await transaction<{ taken: boolean }[]>`
          select pg_try_advisory_xact_lock(${lockKey(otherId)}::bigint) as taken`
        return row?.taken === false
      })
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
