import { execFileSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../../src/lib/package-root.ts'

export interface SyncDelay {
  /** For a server started by us: its own syncs are delayed. */
  readonly env: Readonly<Record<string, string>>
  /** For Node, beside `env`: the syncs of the PostgreSQL that it starts are delayed too. */
  readonly databaseEnv: Readonly<Record<string, string>>
}

const preloadFile = fileURLToPath(new URL('./delay-database.js', import.meta.url))

/**
 * Compiles the shim into a folder. The service starts PostgreSQL with an environment of its own,
 * which leaves the shim out: `databaseEnv` brings it back in.
 * @throws Error when there is no C compiler
 */
export function compileSyncDelay(folder: string, delayMs: number): SyncDelay {
  const library = path.join(folder, 'sync-delay.so')
  const source = path.join(packageRoot, 'bench', 'lib', 'sync-delay.c')
  try {
    execFileSync('gcc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl'])
  } catch (error) {
    throw new Error('delayed syncs need gcc: install it, or pass --syncs direct', { cause: error })
  }
  // PostgreSQL runs as another user when we are root.
  chmodSync(library, 0o755)
  const env = { LD_PRELOAD: library, SYNC_DELAY_MS: String(delayMs) }
  return {
    env,
    databaseEnv: {
      ...env,
      // What main.cts would set too late once anything is imported before it.
      UV_THREADPOOL_SIZE: '16',
      NODE_OPTIONS: `--import=${preloadFile}`,
    },
  }
}
