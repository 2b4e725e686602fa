import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { readKeyFile } from '../accounts/sign-in/keys.ts'
import { BackupFolder } from '../backup/backup-folder.ts'
import { makeBackup } from '../backup/backup.ts'
import { snapshotName, type Complete } from '../backup/format.ts'
import { TarTarget } from '../backup/tar-target.ts'
import type { SnapshotTarget } from '../backup/target.ts'
import type { StorageRoot } from '../bytes/store/store.ts'
import { Pace } from '../bytes/upkeep/verify/pace.ts'
import { loadConfig, type Config } from '../config/load.ts'
import { openBulk } from '../database/bulk.ts'
import { findIdentity } from '../database/identity-sql.ts'
import { pendingMigrations } from '../database/migrate.ts'
import { systemClock } from '../lib/clock.ts'
import { ignoreMissing } from '../lib/durable-file.ts'
import { formatBytes } from '../lib/sizes.ts'
import { createLog, logOutput } from '../lib/log.ts'
import { version } from '../lib/package-root.ts'
import { randomRowId } from '../lib/random-id.ts'
import { backupPlace, readRate, readAge } from './backup-arguments.ts'
import { ByteProgress } from './byte-progress.ts'
import { closeAll } from './closers.ts'
import { type Call, type Report, CommandError, UsageError } from './command.ts'
import { openKeys } from './identity.ts'
import { placed } from './machine-problem.ts'
import { watchInterruption } from './interruption.ts'
import { migrationsFolder } from './migrate.ts'
import { lockProcess, openPlaces } from './open-app.ts'
import { openDatabase, type OpenDatabase } from './open-database.ts'
import { writeBytes } from './output.ts'
import { printable } from './table.ts'

interface Source extends OpenDatabase {
  readonly config: Config
  readonly root: StorageRoot
  readonly keyFile: Buffer | null
  readonly keyFingerprint: string
  readonly serviceId: string
  /** Aborts when the command is interrupted. */
  readonly signal: AbortSignal
}

/** The result of a backup, with the names of its JSON. */
interface Made {
  readonly snapshot: string
  readonly complete: Complete
  readonly removed: readonly string[]
}

/** Backs up to a folder, or with `-` to standard output. */
export async function backup(call: Call): Promise<Report | void> {
  const place = backupPlace(call)
  const bytesPerSecond = readRate(call.text('rate'))
  const keepMs = readAge('keep', call.text('keep'))
  const isStream = place === '-'
  if (isStream && keepMs !== null) throw new UsageError('--keep needs a folder')
  if (isStream && process.stdout.isTTY) {
    throw new UsageError('a backup is not for a terminal: write it to a file or a pipe')
  }
  const progress = new ByteProgress('copied', call.wantsJson)
  const whenStopped = isStream
    ? ': the backup is not complete'
    : ': run it again, it copies only what is new'
  const made = await withSource(whenStopped, async (source) => {
    const { signal, address, config } = source
    if (source.keyFile === null) {
      progress.say('JWT_SECRET is not part of the backup: keep it in another place')
    }
    const make = (target: SnapshotTarget, createdAt: Date) =>
      makeBackup(
        {
          ...source,
          version,
          clock: systemClock,
          pace: new Pace({ bytesPerSecond, clock: systemClock, signal }),
          openBulk: () => openBulk(address),
          spoolFolder: config.dataDir,
          place: isStream ? '-' : path.resolve(place),
          onDamage: ({ place: { owner, name } }) => progress.say(`damaged  ${owner}  “${name}”`),
          onProgress: (copiedBytes, storedBytes) => progress.show(copiedBytes, storedBytes),
          createdAt,
        },
        target,
      ).catch(async (error: unknown) => {
        await target.abandon()
        signal.throwIfAborted()
        throw error
      })
    if (isStream) {
      const createdAt = now()
      const name = snapshotName(createdAt)
      const target = new TarTarget((data) => writeBytes(data, signal), name, createdAt)
      const complete = await make(target, createdAt)
      return { snapshot: name, complete, removed: [] }
    }
    return toFolder(place, source, keepMs, make)
  })
    .catch((error: unknown) => {
      throw placed(error, `the backup to ${place}`)
    })
    .finally(() => progress.clear())
  if (!isStream) return report(made)
  const { json, text, isFailure } = report(made)
  process.stderr.write(`${call.wantsJson ? JSON.stringify(json) : text}\n`)
  if (isFailure) process.exitCode = 1
}

const now = () => new Date(systemClock.now())

/** Names of snapshots have whole seconds: waits for one that the folder does not have. */
async function findMoment(folder: BackupFolder, signal: AbortSignal): Promise<Date> {
  const names = await folder.listNames()
  for (;;) {
    const moment = now()
    if (!names.includes(snapshotName(moment))) return moment
    // The timer may end a moment before the second does.
    const wait = delay(1000 - moment.getMilliseconds(), null, { signal })
    await wait.catch(() => signal.throwIfAborted())
  }
}

async function toFolder(
  place: string,
  { config, serviceId, signal }: Source,
  keepMs: number | null,
  make: (target: SnapshotTarget, createdAt: Date) => Promise<Complete>,
): Promise<Made> {
  await refuseInside(path.resolve(place), config)
  const folder = await BackupFolder.openForWriting(path.resolve(place))
  try {
    const createdAt = await findMoment(folder, signal)
    const target = await folder.begin(createdAt, serviceId)
    const complete = await make(target, createdAt)
    const removed = keepMs === null ? [] : await folder.prune(new Date(+createdAt - keepMs))
    return { snapshot: snapshotName(createdAt), complete, removed }
  } finally {
    await folder.close()
  }
}

/** A backup must not be lost with the data, and its files must not be taken for the service's. */
async function refuseInside(folder: string, { storageDir, dataDir }: Config): Promise<void> {
  const inner = await realPlace(folder)
  for (const [name, place] of Object.entries({ STORAGE_DIR: storageDir, DATA_DIR: dataDir })) {
    const outer = await realpath(place).catch(ignoreMissing)
    if (outer === undefined) continue
    if (inner !== outer && !inner.startsWith(`${outer}${path.sep}`)) continue
    throw new CommandError(`${folder} is in ${name}. Use a folder outside of it.`)
  }
}

/** Where a folder is, or will be made, without links. */
async function realPlace(folder: string): Promise<string> {
  const found = await realpath(folder).catch(ignoreMissing)
  return found ?? path.join(await realPlace(path.dirname(folder)), path.basename(folder))
}

/** Opens what is backed up, beside a running service or without one. */
async function withSource<T>(
  whenStopped: string,
  work: (source: Source) => Promise<T>,
): Promise<T> {
  const config = loadConfig(process.env).config
  const log = createLog({ level: 'error', write: logOutput(process.stderr).write })
  const closers: (() => Promise<void>)[] = []
  const interruption = watchInterruption(whenStopped)
  const { signal } = interruption
  try {
    const open = await openDatabase(config, log, { beside: true, create: false })
    closers.push(() => open.close())
    // Also refuses a database that is newer than this program.
    await pendingMigrations(open.database, migrationsFolder)
    const processId = randomRowId()
    const { database } = open
    const { isAlive } = await lockProcess(processId, null, { open, log }, closers)
    const places = await openPlaces({ config, database, processId, isAlive }, closers)
    const { fingerprint } = await openKeys(database, config, { isService: false })
    const keyFile = config.jwtSecret === null ? await readKeyFile(config.dataDir) : null
    const serviceId = (await findIdentity(database.sql))?.id ?? places.roots.id
    const { roots: root } = places
    const key = { keyFile, keyFingerprint: fingerprint }
    return await work({ ...open, ...key, config, root, serviceId, signal })
  } finally {
    await closeAll(closers)
    interruption.forget()
  }
}

function report({ snapshot, complete, removed }: Made): Report {
  const { storedBytes, copiedBytes, files, damaged } = complete
  const lines = [
    `backed up ${files} files, ${formatBytes(storedBytes)}: copied ${formatBytes(copiedBytes)} ` +
      `to ${snapshot}`,
    ...removed.map((name) => `removed ${name}`),
  ]
  if (damaged > 0) lines.push(`${damaged} places were damaged in the service: run transfer verify`)
  return {
    json: {
      snapshot,
      files,
      stored_bytes: storedBytes,
      copied_bytes: copiedBytes,
      damaged,
      removed,
    },
    text: lines.map(printable).join('\n'),
    isFailure: damaged > 0,
  }
}
