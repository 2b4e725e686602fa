import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { packageRoot } from '../../src/lib/package-root.ts'

/**
 * Compiles the shim into a folder.
 * @returns the environment of a server whose syncs it delays
 * @throws Error without a C compiler
 */
export function compileSyncDelay(folder: string, delayMs: number): Record<string, string> {
  const library = path.join(folder, 'sync-delay.so')
  const source = path.join(packageRoot, 'bench', 'lib', 'sync-delay.c')
  try {
    execFileSync('gcc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl'])
  } catch (error) {
    throw new Error('delayed syncs need gcc: install it, or pass --syncs direct', { cause: error })
  }
  return { LD_PRELOAD: library, SYNC_DELAY_MS: String(delayMs) }
}
