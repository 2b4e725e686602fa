import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { isSystemError } from '../../lib/errors.ts'

/** A row of the package's pg-symlinks.json; both paths are relative to the package's folder. */
interface SymlinkRow {
  source: string
  target: string
}

/** Makes missing symlinks of libraries; false when the folder is not writable. */
export function linkLibraries(native: string): boolean {
  for (const { source, target } of readSymlinks(native)) {
    const link = path.join(native, target)
    if (existsSync(link)) continue
    try {
      symlinkSync(path.basename(source), link)
    } catch (error) {
      if (isSystemError(error, 'EACCES', 'EPERM', 'EROFS')) return false
      if (!isSystemError(error, 'EEXIST')) throw error
    }
  }
  return true
}

function readSymlinks(native: string): SymlinkRow[] {
  const file = path.join(native, 'pg-symlinks.json')
  const rows = JSON.parse(readFileSync(file, 'utf8')) as SymlinkRow[]
  const inside = (name: string) => name.replace(/^native\//, '')
  return rows.map((row) => ({ source: inside(row.source), target: inside(row.target) }))
}
