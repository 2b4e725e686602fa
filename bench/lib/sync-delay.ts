import { execFileSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../../src/lib/package-root.ts'

export interface SyncDelay {
  /** For a server started by us: delays its own syncs. */
  readonly env: Readonly<Record<string, string>>
  /** For Node, in addition to `env`: delays the syncs of the PostgreSQL that it starts. */
  readonly databaseEnv: Readonly<Record<string, string>>
}

const preloadFile = fileURLToPath(new URL('./delay-database.js', import.meta.url))

/**
 * Compiles the shim into a folder. The service starts PostgreSQL with a separate environment
 * without the shim: `databaseEnv` adds it again.
 * @throws Error without a C compiler
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
      // main.cts would set it too late when another module is imported first.
      UV_THREADPOOL_SIZE: '16',
      NODE_OPTIONS: `--import=${preloadFile}`,
    },
  }
}
