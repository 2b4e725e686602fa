import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const made: string[] = []

/** A new folder of this user alone, which is removed when the process ends. */
export function makeFolder(): string {
  if (made.length === 0) process.once('exit', removeAll)
  const folder = mkdtempSync(path.join(tmpdir(), 'transfer-test-'))
  made.push(folder)
  return folder
}

function removeAll(): void {
  for (const folder of made) rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
}
