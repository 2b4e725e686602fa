import { randomBytes } from 'node:crypto'
import { link, open, rename, rm, stat } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { hostname } from 'node:os'
import path from 'node:path'
import { isSystemError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'

const lockName = 'in-use.sock'
const answerMsMax = 2_000
const answerBytesMax = 1_024
const attemptsMax = 5
/** What a socket's path may take on macOS; Linux takes a few bytes more. */
const pathBytesMax = 103

/** The service that uses a storage root. */
export interface StorageHolder {
  /** As other processes on its database know it; null when it does not answer. */
  readonly processId: string | null
  readonly pid: number
  readonly host: string
}

/** Another service works on this storage root. */
export class StorageInUse extends Error {
  override readonly name = 'StorageInUse'

  constructor(folder: string, { pid, host }: StorageHolder) {
    const by = pid > 0 ? `pid ${pid} on ${host}` : 'a process that does not answer'
    super(`PARCELS_DIR (${folder}) is in use by ${by}. Stop that service first.`)
  }
}

export interface StorageLock {
  close(): Promise<void>
}

/** True for what belongs to the lock and not to the stored files. */
export function isLockFile(name: string): boolean {
  return name.startsWith('in-use.')
}

/**
 * Keeps other services off a storage root, whatever database they use. The lock is a listening
 * Unix socket: the kernel closes it with its process, so that a killed service leaves nothing but
 * a dead file. A file system without sockets goes unlocked, and the log says so.
 * @throws StorageInUse
 */
export async function lockStorage(
  folder: string,
  processId: string,
  log: Log,
): Promise<StorageLock> {
  const holder: StorageHolder = { processId, pid: process.pid, host: hostname() }
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.end(JSON.stringify(holder))
  })
  server.unref()
  const place = await openPlace(folder)
  const own = place.at(`in-use.${randomBytes(4).toString('hex')}`)
  try {
    await listenOn(server, own)
    await claim(folder, own, place.at)
  } catch (error) {
    server.close()
    await place.close()
    if (error instanceof StorageInUse) throw error
    log.warn('storage is not locked: start no second service on it', { folder, cause: error })
    return { close: async () => {} }
  }
  const name = path.join(folder, lockName)
  const inode = (await stat(own)).ino
  await rm(own, { force: true })
  return {
    async close() {
      const found = await stat(name).catch(() => null)
      if (found?.ino === inode) await rm(name, { force: true })
      await new Promise((resolve) => {
        server.close(resolve)
      })
      await place.close()
    },
  }
}

/** The service that uses the storage root now; null when none does. */
export async function findStorageHolder(folder: string): Promise<StorageHolder | null> {
  const place = await openPlace(folder)
  try {
    return await ask(place.at(lockName))
  } finally {
    await place.close()
  }
}

/** Gives the socket the name of the lock, if that is free or belongs to a dead process. */
async function claim(folder: string, own: string, at: (name: string) => string): Promise<void> {
  const name = at(lockName)
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    try {
      await link(own, name)
      return
    } catch (error) {
      if (!isSystemError(error, 'EEXIST')) throw error
    }
    await refuseLiving(folder, name)
    // Another start may have replaced the dead socket meanwhile: what was moved is asked as well.
    const moved = at(`in-use.${randomBytes(4).toString('hex')}`)
    try {
      await rename(name, moved)
    } catch (error) {
      if (isSystemError(error, 'ENOENT')) continue
      throw error
    }
    try {
      await refuseLiving(folder, moved)
    } catch (error) {
      await link(moved, name).catch(() => {})
      throw error
    } finally {
      await rm(moved, { force: true })
    }
  }
  throw new Error('the lock kept changing hands')
}

/** @throws StorageInUse */
async function refuseLiving(folder: string, socketPath: string): Promise<void> {
  const holder = await ask(socketPath)
  if (holder) throw new StorageInUse(folder, holder)
}

/** Null when no process listens. */
function ask(socketPath: string): Promise<StorageHolder | null> {
  return new Promise((resolve, reject) => {
    let said = ''
    const socket = connect({ path: socketPath })
    const finish = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve(parseHolder(said))
    }
    const timer = setTimeout(finish, answerMsMax)
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => {
      said = (said + text).slice(0, answerBytesMax)
    })
    socket.on('end', finish)
    socket.on('error', (error) => {
      clearTimeout(timer)
      // Not a socket: some other file of this name locks nothing.
      if (isSystemError(error, 'ENOENT', 'ECONNREFUSED', 'ENOTSOCK')) return resolve(null)
      reject(error)
    })
  })
}

function parseHolder(text: string): StorageHolder {
  const unknown = { processId: null, pid: 0, host: '' }
  try {
    const { processId, pid, host } = JSON.parse(text) as StorageHolder
    return typeof processId === 'string' ? { processId, pid, host } : unknown
  } catch {
    return unknown
  }
}

async function listenOn(server: Server, socketPath: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ path: socketPath }, () => resolve())
  })
}

/** Reaches files of a folder by paths that are short enough for a socket. */
async function openPlace(
  folder: string,
): Promise<{ at: (name: string) => string; close: () => Promise<void> }> {
  const longest = path.join(folder, 'in-use.00000000')
  if (process.platform !== 'linux' || Buffer.byteLength(longest) <= pathBytesMax) {
    return { at: (name) => path.join(folder, name), close: async () => {} }
  }
  const handle = await open(folder, 'r')
  return {
    at: (name) => `/proc/self/fd/${handle.fd}/${name}`,
    close: () => handle.close(),
  }
}
