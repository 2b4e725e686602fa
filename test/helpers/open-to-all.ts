import { chmodSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'

/** Lets every user read a folder and run its programs, with any umask. */
export function openToAll(folder: string): void {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true })
  const names = found
    .filter((entry) => !entry.isSymbolicLink())
    .map((entry) => path.join(entry.parentPath, entry.name))
  for (const name of [folder, ...names]) {
    const { mode } = statSync(name)
    chmodSync(name, (mode & 0o777) | 0o444 | ((mode & 0o100) === 0 ? 0 : 0o111))
  }
}
