import { chmod, lstat, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { homeFolder } from '../config/load.ts'
import { makeFolder } from '../lib/durable-file.ts'
import { isSystemError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import { WrongOption } from './command.ts'

const ownerBits = 0o7700
const passBits = 0o011
const stickyBit = 0o1000
const othersMayWrite = 0o022

/** What the service or its operator puts into it. */
const ownNames = new Set([
  'credentials',
  'database',
  'instance.json',
  'options',
  'restoring',
  'secret.key',
  'storage',
])
/** A new disk has it. */
export const ignoredNames = new Set(['lost+found'])

/**
 * Makes the data directory, or removes other users' rights from an existing one. Under root others
 * may traverse it, because the embedded database runs as another user, in its own folder. A folder
 * that others use too is left unchanged, with a warning.
 * @throws WrongOption for root, if other users can place files and links in it, or have done so;
 *   for a folder of other files that would have to be closed to others
 */
export async function makeDataDir(folder: string, log: Log): Promise<void> {
  const isRoot = process.getuid?.() === 0
  if (await makeFolder(folder, isRoot ? 0o711 : 0o700)) return
  const { mode, uid } = await stat(folder)
  const names = await readdir(folder)
  if (isRoot) await refuseForeign(folder, uid, names)
  const wanted = mode & (isRoot ? ownerBits | passBits : ownerBits)
  if (wanted === (mode & 0o7777)) return
  const isShared = (mode & stickyBit) !== 0 || isCommon(folder)
  const isOurs = uid === process.getuid?.() && !isShared
  const fields = { dataDir: folder, mode: (mode & 0o7777).toString(8) }
  const command = `chmod ${wanted.toString(8)} ${folder}`
  if (isOurs) refuseOtherFiles(folder, names, command)
  if (isOurs && (await tryToChange(folder, wanted))) {
    log.info('removed access of other users to DATA_DIR', fields)
    return
  }
  const hint = isShared ? 'use a separate folder' : command
  if (isRoot && (mode & othersMayWrite) !== 0) {
    throw new WrongOption(`DATA_DIR: other users can write to ${folder}: ${hint}`)
  }
  log.warn('DATA_DIR is open to other users', { ...fields, hint })
}

/**
 * Root would follow a link of another user, and trust a database or a key of theirs: at each start,
 * because a folder that is closed now may have been open before.
 */
async function refuseForeign(folder: string, uid: number, names: readonly string[]): Promise<void> {
  if (uid !== 0) {
    throw new WrongOption(
      `DATA_DIR: ${folder} is of user ${uid}, who can replace everything in it: run the service ` +
        'as that user, or use a folder of root',
    )
  }
  for (const name of names) {
    const entry = path.join(folder, name)
    const { uid: owner } = await lstat(entry)
    if (owner === 0) continue
    throw new WrongOption(
      `DATA_DIR: ${entry} is of user ${owner}, and root would trust it: remove it, or, if you ` +
        'know what is in it, give it to root with chown -h',
    )
  }
}

/** The mode of a folder like /srv or /etc must stay as it is: the option is mistyped. */
function refuseOtherFiles(folder: string, names: readonly string[], command: string): void {
  if (names.some((name) => ownNames.has(name))) return
  const other = names.find((name) => !name.startsWith('.') && !ignoredNames.has(name))
  if (other === undefined) return
  throw new WrongOption(
    `DATA_DIR: ${folder} has other files, such as ${other}: use a separate folder. If it is for ` +
      `this service alone, run ${command}`,
  )
}

/** Warns root of a STORAGE_DIR that other users can change. It may be a disk without owners. */
export async function checkStorageDir(folder: string, log: Log): Promise<void> {
  if (process.getuid?.() !== 0) return
  const found = await stat(folder).catch(() => null)
  if (!found || (found.uid === 0 && (found.mode & othersMayWrite) === 0)) return
  log.warn('other users can replace the files in STORAGE_DIR', {
    storageDir: folder,
    mode: (found.mode & 0o7777).toString(8),
    owner: found.uid,
  })
}

function isCommon(folder: string): boolean {
  const absolute = path.resolve(folder)
  return absolute === path.parse(absolute).root || absolute === homeFolder()
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
