import { randomBytes, randomInt } from 'node:crypto'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { hostname } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../lib/clock.ts'
import { isSystemError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'

const answerMsMax = 2_000
const answerBytesMax = 1_024
const attemptsMax = 200
const pauseMsMax = 30
const newMsMax = 60_000
/** Length limit of a socket's path on macOS; Linux allows a few bytes more. */
const pathBytesMax = 103

/** The service that uses a storage root. */
export interface StorageHolder {
  /** Its id for other processes on its database; null when it does not answer. */
  readonly processId: string | null
  readonly pid: number
  readonly host: string
}

interface Answer extends StorageHolder {
  /** False while it may still have to yield. */
  isHolder: boolean
}

/** Another service uses this storage root. */
export class StorageInUse extends Error {
  override readonly name = 'StorageInUse'

  constructor(folder: string, { pid, host }: StorageHolder) {
    const by = pid > 0 ? `pid ${pid} on ${host}` : 'a process that does not answer'
    super(`STORAGE_DIR (${folder}) is in use by ${by}. Stop that service first.`)
  }
}

/** True for files of the lock, as opposed to stored files. */
export function isLockFile(name: string): boolean {
  return name.startsWith('in-use.')
}

/**
 * Keeps other services away from a storage root, regardless of their databases. Each service that
 * wants it listens on a Unix socket in the folder, under a unique name, and holds it once no other
 * socket answers. The kernel closes the socket of a killed process, and no name is used twice: a
 * socket that refuses connections can be removed at any time. A file system without sockets stays
 * unlocked, and the log says so.
 * @throws StorageInUse
 */
export async function lockStorage(
  folder: string,
  processId: string,
  log: Log,
): Promise<{ close(): Promise<void> }> {
  const claim: Answer = { processId, pid: process.pid, host: hostname(), isHolder: false }
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.end(JSON.stringify(claim))
  })
  server.unref()
  const place = await openPlace(folder)
  const own = `in-use.${randomBytes(4).toString('hex')}`
  const published = place.at(`${own}.sock`)
  const close = async () => {
    await rm(published, { force: true })
    await new Promise((resolve) => {
      server.close(resolve)
    })
    await place.close()
  }
  try {
    // Named later: before it listens, others would take it for a dead one.
    await listenOn(server, place.at(`${own}.new`))
    await rename(place.at(`${own}.new`), published)
    await contend(place, own)
    claim.isHolder = true
    return { close }
  } catch (error) {
    await close()
    if (error instanceof StorageInUse) throw error
    log.warn('storage is not locked: do not start another service on it', { folder, cause: error })
    return { close: async () => {} }
  }
}

/** The service that uses the storage root now; null when none does. */
export async function findStorageHolder(folder: string): Promise<StorageHolder | null> {
  const place = await openPlace(folder)
  try {
    const holder = (await listAnswers(place)).find(({ isHolder }) => isHolder)
    return holder ? { processId: holder.processId, pid: holder.pid, host: holder.host } : null
  } finally {
    await place.close()
  }
}

/**
 * Resolves once no other socket answers. Of two services that look at the same time, at least one
 * sees the other, so both never go on. The one with the smallest name stays; the others withdraw
 * theirs for a moment, until there is a holder.
 * @throws StorageInUse
 */
async function contend(place: Place, own: string): Promise<void> {
  const published = place.at(`${own}.sock`)
  const withdrawn = place.at(`${own}.new`)
  for (let attempt = 0; ; attempt += 1) {
    const others = (await listAnswers(place)).filter(({ name }) => name !== `${own}.sock`)
    const [first] = others
    if (!first) return
    const holder = others.find(({ isHolder }) => isHolder)
    if (holder || attempt === attemptsMax) throw new StorageInUse(place.folder, holder ?? first)
    const isFirst = others.every(({ name }) => `${own}.sock` < name)
    if (!isFirst) await rename(published, withdrawn)
    await delay(randomInt(pauseMsMax))
    if (!isFirst) await rename(withdrawn, published)
  }
}

/** Lists the live processes that listen in the folder. Removes the sockets of dead ones. */
async function listAnswers(place: Place): Promise<(Answer & { name: string })[]> {
  const answers: (Answer & { name: string })[] = []
  for (const name of await readdir(place.folder)) {
    if (isLockFile(name) && name.endsWith('.new')) await removeOld(place.at(name))
    if (!isLockFile(name) || !name.endsWith('.sock')) continue
    const answer = await ask(place.at(name))
    // A withdrawn socket may come back; a dead one never does.
    if (answer === 'dead') await rm(place.at(name), { force: true })
    else if (answer !== 'gone') answers.push({ ...answer, name })
  }
  return answers
}

/** Removes leftovers of a process that was killed at its start. */
async function removeOld(file: string): Promise<void> {
  const found = await stat(file).catch(() => null)
  if (found && systemClock.now() - found.mtimeMs > newMsMax) await rm(file, { force: true })
}

/** `dead` when no process listens, `gone` when the name no longer exists. */
function ask(socketPath: string): Promise<Answer | 'dead' | 'gone'> {
  return new Promise((resolve) => {
    let said = ''
    const socket = connect({ path: socketPath })
    const finish = (outcome: Answer | 'dead' | 'gone') => {
      clearTimeout(timer)
      socket.destroy()
      resolve(outcome)
    }
    const timer = setTimeout(() => finish(parseAnswer(said)), answerMsMax)
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => {
      said = (said + text).slice(0, answerBytesMax)
    })
    socket.on('end', () => finish(parseAnswer(said)))
    socket.on('error', (error) => {
      // A file that is not a socket refuses connections too.
      if (isSystemError(error, 'ECONNREFUSED', 'ENOTSOCK')) finish('dead')
      else if (isSystemError(error, 'ENOENT')) finish('gone')
      else finish(parseAnswer(said))
    })
  })
}

/** A process that does not answer, perhaps because it is too busy, counts as the holder. */
function parseAnswer(text: string): Answer {
  const unknown = { processId: null, pid: 0, host: '', isHolder: true }
  try {
    const { processId, pid, host, isHolder } = JSON.parse(text) as Answer
    return typeof processId === 'string' ? { processId, pid, host, isHolder } : unknown
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

interface Place {
  readonly folder: string
  /** The path of a file in the folder, short enough for a socket. */
  readonly at: (name: string) => string
  readonly close: () => Promise<void>
}

async function openPlace(folder: string): Promise<Place> {
  const longest = path.join(folder, 'in-use.00000000.sock')
  if (process.platform !== 'linux' || Buffer.byteLength(longest) <= pathBytesMax) {
    return { folder, at: (name) => path.join(folder, name), close: async () => {} }
  }
  const handle = await open(folder, 'r')
  return {
    folder,
    at: (name) => `/proc/self/fd/${handle.fd}/${name}`,
    close: () => handle.close(),
  }
}
