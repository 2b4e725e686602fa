import { chmod, mkdir, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { isSystemError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'

const ownerBits = 0o7700
const passBits = 0o011
const stickyBit = 0o1000

/**
 * Makes the data directory, or removes other users' rights from an existing one. Under root others
 * may traverse it, because the embedded database runs as another user, in its own folder. A folder
 * that others use too is left unchanged, with a warning.
 */
export async function makeDataDir(folder: string, log: Log): Promise<void> {
  const isRoot = process.getuid?.() === 0
  const made = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (made !== undefined) return isRoot ? chmod(folder, 0o711) : undefined
  const { mode, uid } = await stat(folder)
  const wanted = mode & (isRoot ? ownerBits | passBits : ownerBits)
  if (wanted === (mode & 0o7777)) return
  const isShared = (mode & stickyBit) !== 0 || isCommon(folder)
  const isOurs = uid === process.getuid?.() && !isShared
  const fields = { dataDir: folder, mode: (mode & 0o7777).toString(8) }
  if (isOurs && (await tryToChange(folder, wanted))) {
    log.info('removed access of other users to DATA_DIR', fields)
    return
  }
  const hint = isShared ? 'use a separate folder' : `chmod ${wanted.toString(8)} ${folder}`
  log.warn('DATA_DIR is open to other users', { ...fields, hint })
}

function isCommon(folder: string): boolean {
  const absolute = path.resolve(folder)
  return absolute === path.parse(absolute).root || absolute === homedir()
}

async function tryToChange(folder: string, mode: number): Promise<boolean> {
  try {
    await chmod(folder, mode)
    return true
  } catch (error) {
    if (isSystemError(error, 'EPERM', 'EACCES', 'EROFS', 'ENOTSUP')) return false
    throw error
  }
}
