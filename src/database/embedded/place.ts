import * as fs from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import { isSystemError } from '../../lib/errors.ts'
import { peersOf } from './access.ts'
import { chooseAccount, findClosedFolder, readAccounts, type Account } from './accounts.ts'
import { DatabaseMissing, EmbeddedFailure } from './failure.ts'
import type { Machine } from './machine.ts'
import { serverPort } from './settings.ts'

/** Where the cluster is, and which user runs it. */
export interface Place {
  /** From the options. */
  dataDir: string
  /** Our folder: holds the cluster (`pg`), the ballast and the socket's folder. */
  home: string
  clusterDir: string
  /**
   * Folder for a copy of the binaries when those of the package cannot be used. Under root it is
   * the same for all data directories.
   */
  copyHome: string
  /** Null for the present user. */
  account: Account | null
  /** System users that may connect. */
  peers: readonly string[]
}

/** Limit of a socket's path: 107 bytes on Linux, 103 on macOS. */
const socketPathBytesMax = 103

/** File systems without owners, modes or reliable fsync: see statfs(2) and linux/magic.h. */
const refusedFileSystems = new Map([
  [0x4d44, 'vfat'],
  [0x2011_bab0, 'exFAT'],
  [0xff53_4d42, 'CIFS'],
  [0xfe53_4d42, 'SMB'],
  [0x517b, 'SMB'],
  [0x6573_5546, 'FUSE'],
  [0x7366_746e, 'NTFS'],
])

const folderName = 'database'
const clusterName = 'pg'

/** Our folder in a data directory, which must exist. */
export function homeOf(dataDir: string): string {
  return path.join(fs.realpathSync(dataDir), folderName)
}

export function clusterDirOf(home: string): string {
  return path.join(home, clusterName)
}

/** The folder of this data directory's database; null without one. */
export function findHome(dataDir: string): string | null {
  if (!fs.existsSync(dataDir)) return null
  const home = homeOf(dataDir)
  return fs.existsSync(clusterDirOf(home)) ? home : null
}

/**
 * Refuses to make an empty database in place of a lost one: all data would seem to be gone.
 * @param hasFiles whether there are files that only a lost database knows
 * @throws DatabaseMissing
 */
export function refuseLostDatabase(dataDir: string, hasFiles: boolean): void {
  if (!hasFiles || findHome(dataDir) !== null || !fs.existsSync(dataDir)) return
  throw new DatabaseMissing(
    `there are files, but no database in ${homeOf(dataDir)}. Restore it from a backup, ` +
      'or set STORAGE_DIR to an empty folder to begin with nothing.',
  )
}

/** Decides where the cluster is or will be, and makes that folder. */
export async function choosePlace(dataDir: string, machine: Machine): Promise<Place> {
  const isRoot = process.getuid?.() === 0
  const mode = isRoot ? 0o711 : 0o700
  makeFolders(dataDir, mode)
  const found = isRoot ? placeAsRoot(dataDir, machine) : placeAsOurselves(dataDir)
  const place = { ...found, peers: peersOf(dataDir, found.account) }
  makeFolders(place.home, mode)
  if (process.platform === 'linux') await refuseFileSystem(place.home, machine)
  return place
}

/** A folder for the socket that only its owner can enter, with a path short enough for a socket. */
export function makeSocketDir(place: Place): string {
  const usual = path.join(place.home, 'run')
  const fits = Buffer.byteLength(`${usual}/.s.PGSQL.${serverPort}`) <= socketPathBytesMax
  if (fits) fs.mkdirSync(usual, { recursive: true, mode: 0o700 })
  const folder = fits ? usual : fs.mkdtempSync(path.join(shortFolder(place), 'transfer-'))
  giveTo(place.account, folder, 0o700)
  return folder
}

/** Makes the folder again if it is gone: `/tmp` may have been cleaned. */
export function remakeSocketDir(place: Place, folder: string): void {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  giveTo(place.account, folder, 0o700)
}

export function giveTo(account: Account | null, folder: string, mode: number): void {
  fs.chmodSync(folder, mode)
  if (!account) return
  try {
    fs.chownSync(folder, account.uid, account.gid)
  } catch (error) {
    throw new EmbeddedFailure(`${folder} cannot be handed to the user ${account.name}`, error)
  }
}

function placeAsOurselves(dataDir: string): Omit<Place, 'peers'> {
  try {
    userInfo()
  } catch (error) {
    const uid = process.getuid?.()
    throw new EmbeddedFailure(
      `the database needs a user with a name, and uid ${uid} has none`,
      error,
    )
  }
  const home = homeOf(dataDir)
  return { dataDir, home, clusterDir: clusterDirOf(home), copyHome: home, account: null }
}

function placeAsRoot(dataDir: string, machine: Machine): Omit<Place, 'peers'> {
  const accounts = readAccounts(machine.passwdFile)
  const home = homeOf(dataDir)
  const clusterDir = clusterDirOf(home)
  const exists = fs.existsSync(clusterDir)
  const account = chooseAccount(accounts, exists ? clusterDir : null)
  const closed = findClosedFolder(account, path.dirname(home))
  if (closed !== null) {
    const open = `chmod o+x ${closed}`
    throw new EmbeddedFailure(
      exists
        ? `the user ${account.name} cannot reach the database in ${home}: ${open}`
        : `PostgreSQL runs as the user ${account.name}, which cannot enter ${closed}: ` +
            `${adviseFor(dataDir, closed, accounts)}, or run ${open}`,
    )
  }
  return { dataDir, home, clusterDir, copyHome: machine.copyRoot, account }
}

/** What to do about a data directory without a database that the server's user cannot enter. */
function adviseFor(dataDir: string, closed: string, accounts: readonly Account[]): string {
  const { uid } = fs.statSync(dataDir)
  const owner = accounts.find((account) => account.uid === uid)
  // The folder of a service with a user of its own, which root has started by hand.
  if (owner && uid !== 0 && closed === fs.realpathSync(dataDir)) {
    return `run this as its owner ${owner.name}`
  }
  return 'set DATA_DIR to a folder that every user can enter, such as /var/lib/transfer-service'
}

async function refuseFileSystem(folder: string, machine: Machine): Promise<void> {
  const name = refusedFileSystems.get((await machine.fileSystemType(folder)) >>> 0)
  if (name === undefined) return
  throw new EmbeddedFailure(`${folder} is on ${name}, on which PostgreSQL cannot keep data safely`)
}

/** Makes missing folders with exactly this mode, regardless of the umask; leaves existing ones. */
export function makeFolders(folder: string, mode: number): void {
  if (fs.existsSync(folder)) return
  makeFolders(path.dirname(folder), mode)
  try {
    fs.mkdirSync(folder)
    fs.chmodSync(folder, mode)
  } catch (error) {
    if (isSystemError(error, 'EEXIST')) return
    throw new EmbeddedFailure(`${folder} cannot be made`, error)
  }
}

function shortFolder(place: Place): string {
  const candidates = place.account ? ['/run', '/tmp'] : [process.env['XDG_RUNTIME_DIR'], '/tmp']
  const usable = candidates.find((folder) => folder && folder.length < 64 && fs.existsSync(folder))
  return usable ?? tmpdir()
}
