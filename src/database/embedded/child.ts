import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { isSystemError } from '../../lib/errors.ts'
import type { Account } from './accounts.ts'
import { EmbeddedFailure } from './failure.ts'
import { serverEnvironment } from './settings.ts'

export type Child = ChildProcessByStdio<null, Readable, Readable>

/** How a process ended: its exit code, or the signal that ended it. */
export interface Ending {
  code: number | null
  signal: NodeJS.Signals | null
}

const lineCharactersMax = 2_000

/**
 * Starts a PostgreSQL program as the given user, in a separate session (Ctrl-C in a terminal
 * reaches only the service) and without our environment.
 * @throws EmbeddedFailure when it cannot be started at all
 */
export async function startChild(
  file: string,
  args: readonly string[],
  options: { account: Account | null; workingDir: string },
): Promise<Child> {
  const { account, workingDir } = options
  try {
    const child = spawn(file, args, {
      cwd: workingDir,
      env: serverEnvironment,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      ...(account ? { uid: account.uid, gid: account.gid } : {}),
    })
    await once(child, 'spawn')
    return child
  } catch (error) {
    throw new EmbeddedFailure(explainSpawnError(error, file, account), error)
  }
}

/** Resolves when the process has ended; its last output may still follow. */
export async function endingOf(child: Child): Promise<Ending> {
  if (child.exitCode !== null || child.signalCode !== null) {
    return { code: child.exitCode, signal: child.signalCode }
  }
  const [code, signal] = (await once(child, 'exit')) as [Ending['code'], Ending['signal']]
  return { code, signal }
}

/**
 * Resolves when the stream has ended. Not for a server's stream: backends that outlive it hold it
 * open.
 */
export async function endOf(stream: Readable): Promise<void> {
  if (!stream.readableEnded && !stream.destroyed) await once(stream, 'close')
}

/** Calls `take` with each line, however the bytes arrive; drops the rest of a long line. */
export function readLines(stream: Readable, take: (line: string) => void): void {
  let line = ''
  stream.setEncoding('utf8')
  stream.on('data', (text: string) => {
    const parts = text.split('\n')
    const last = parts.pop() ?? ''
    for (const part of parts) {
      take((line + part).slice(0, lineCharactersMax))
      line = ''
    }
    line = (line + last).slice(0, lineCharactersMax)
  })
  stream.on('end', () => {
    if (line !== '') take(line)
  })
  stream.on('error', () => {})
}

function explainSpawnError(error: unknown, file: string, account: Account | null): string {
  const as = account ? ` as the user ${account.name}` : ''
  if (isSystemError(error, 'ENOENT') && existsSync(file)) {
    return `${file} does not run on this system's C library (it needs glibc; musl is another)`
  }
  const reason = error instanceof Error ? error.message : String(error)
  return `PostgreSQL could not be started${as} (${reason})`
}
