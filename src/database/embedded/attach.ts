import { setTimeout as delay } from 'node:timers/promises'
import { DataDirInUse } from './failure.ts'
import { findUsers } from './ownership.ts'
import { isAlive } from './processes.ts'
import { findRunning, startEmbedded } from './start.ts'
import type { EmbeddedAddress, EmbeddedOptions, EmbeddedPostgres } from './start.ts'

const attemptsMax = 5
const pollMs = 100
/** A living process connects within this time to a server that it has started. */
const unusedMs = 1_000
const answerTimeoutMs = 10_000

export interface Attached {
  readonly address: EmbeddedAddress
  /** Null when another process runs the server. */
  readonly server: EmbeddedPostgres | null
}

/**
 * For commands: shares the server of a living process, takes over one that a killed process has
 * left, or starts one.
 */
export async function attachEmbedded(options: EmbeddedOptions): Promise<Attached> {
  for (let attempt = 1; ; attempt += 1) {
    const running = findRunning(options.dataDir)
    if (running && (await isInUse(options))) return { address: running, server: null }
    try {
      const server = await startEmbedded(options)
      return { address: server, server }
    } catch (error) {
      // Another process was faster.
      if (!(error instanceof DataDirInUse) || attempt === attemptsMax) throw error
    }
  }
}

/** Whether a living process uses the running server; false if that has ended meanwhile. */
async function isInUse({ dataDir }: EmbeddedOptions): Promise<boolean> {
  const startedAtMs = performance.now()
  let unusedAtMs: number | null = null
  for (;;) {
    const running = findRunning(dataDir)
    if (!running) return false
    const users = await findUsers(running.socketDir)
    if (users?.some((pid) => pid !== process.pid && isAlive(pid))) return true
    const now = performance.now()
    if (users === null && now - startedAtMs > answerTimeoutMs) return true
    unusedAtMs = users === null ? null : (unusedAtMs ?? now)
    if (unusedAtMs !== null && now - unusedAtMs > unusedMs) return false
    await delay(pollMs)
  }
}
