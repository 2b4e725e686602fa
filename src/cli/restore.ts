import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { Keys, removeKeyFile, restoreKeyFile } from '../accounts/sign-in/keys.ts'
import { BackupFolder } from '../backup/backup-folder.ts'
import type { Head } from '../backup/format.ts'
import { loadDatabase, requireEmpty } from '../backup/load.ts'
import { checkTables, readSegments, type ReadOptions } from '../backup/read-folder.ts'
import { readTar } from '../backup/read-tar.ts'
import type { Snapshot } from '../backup/snapshot.ts'
import { Pace } from '../bytes/upkeep/verify/pace.ts'
import { loadConfig, type Config } from '../config/load.ts'
import { openBulk, type Bulk } from '../database/bulk.ts'
import { requireKnown } from '../database/migrate.ts'
import { systemClock } from '../lib/clock.ts'
import { removeDurably, syncFolder } from '../lib/durable-file.ts'
import { formatBytes } from '../lib/sizes.ts'
import { createLog, logOutput, type Log } from '../lib/log.ts'
import { emailsHeldKey } from '../settings/settings.ts'
import { upsertSetting } from '../settings/sql.ts'
import { backupPlace, readRate } from './backup-arguments.ts'
import { ByteProgress, Damages } from './byte-progress.ts'
import { type Call, type Report, UsageError } from './command.ts'
import { placed } from './machine-problem.ts'
import { makeDataDir } from './data-dir.ts'
import { watchInterruption } from './interruption.ts'
import { migrationsFolder } from './migrate.ts'
import { describeDatabase, openDatabase } from './open-database.ts'
import { requireRestorable, restoringFolder, openRestorePlace } from './restore-place.ts'
import type { RestorePlace } from './restore-place.ts'

/** Restores from a folder, or with `-` from standard input, into empty places. */
export async function restore(call: Call): Promise<Report> {
  const place = backupPlace(call)
  const bytesPerSecond = readRate(call.text('rate'))
  if (place === '-' && call.text('snapshot') !== null) {
    throw new UsageError('--snapshot needs a folder')
  }
  if (place === '-' && process.stdin.isTTY) {
    throw new UsageError('a backup is expected on standard input')
  }
  const progress = new ByteProgress('restored', call.wantsJson)
  const damages = new Damages(progress)
  const interruption = watchInterruption()
  const { signal } = interruption
  const read = (total: number | null): ReadOptions => ({
    onDamage: damages.add,
    onProgress: (bytes) => progress.show(bytes, total),
    pace: new Pace({ bytesPerSecond, clock: systemClock, signal }),
    signal,
  })
  try {
    const config = loadConfig(process.env).config
    await requireRestorable(config)
    const snapshot =
      place === '-'
        ? await fromStream(call, config, read(null))
        : await fromFolder(path.resolve(place), call, config, read)
    return report(snapshot, call, damages)
  } finally {
    progress.clear()
    interruption.forget()
  }
}

async function fromFolder(
  place: string,
  call: Call,
  config: Config,
  read: (total: number) => ReadOptions,
): Promise<Snapshot> {
  const folder = await BackupFolder.openForReading(place)
  try {
    const snapshot = await folder.openSnapshot(call.text('snapshot'))
    await requireKnown(migrationsFolder, snapshot.head.migrations)
    await snapshot.readKey()
    await checkTables(snapshot)
    const { storedBytes } = snapshot.complete
    const options = read(storedBytes)
    return await intoEmpty(call, config, options.signal, async (into) => {
      await into.requireSpace(storedBytes)
      await readSegments(snapshot, folder.storageFolder, into.target, options)
      return snapshot
    })
  } finally {
    await folder.close()
  }
}

async function fromStream(call: Call, config: Config, read: ReadOptions): Promise<Snapshot> {
  // Otherwise a writer that has stopped would keep the command from ending.
  read.signal.addEventListener('abort', () => process.stdin.destroy())
  return intoEmpty(call, config, read.signal, ({ target }) =>
    readTar(process.stdin as AsyncIterable<Buffer>, {
      ...read,
      target,
      spoolFolder: restoringFolder(config),
      onHead: ({ migrations }: Head) => requireKnown(migrationsFolder, migrations),
    }),
  )
}

/**
 * Restores in an order in which no half of it can be taken for a service: a folder in DATA_DIR
 * refuses every start until all is there, and the rows come last, in one transaction.
 */
async function intoEmpty(
  call: Call,
  config: Config,
  signal: AbortSignal,
  readBytes: (place: RestorePlace) => Promise<Snapshot>,
): Promise<Snapshot> {
  const log = createLog({ level: 'error', write: logOutput(process.stderr).write })
  const restoring = await begin(config, log)
  let isCommitted = false
  let place: RestorePlace | null = null
  try {
    place = await openRestorePlace(config)
    const open = await openDatabase(config, log, { beside: false, create: true, isRestore: true })
    const bulk = openBulk(open.address)
    signal.addEventListener('abort', () => void bulk.close().catch(() => {}))
    try {
      await requireEmpty(bulk, describeDatabase(config))
      signal.throwIfAborted()
      const snapshot = await readBytes(place)
      await place.target.finish()
      await restoreKey(config, snapshot)
      await place.mark(snapshot.head.storageRoot)
      signal.throwIfAborted()
      await load(bulk, snapshot, call)
      isCommitted = true
      return snapshot
    } finally {
      await bulk.close()
      await open.close()
    }
  } catch (error) {
    if (!isCommitted) {
      // Everything was empty before, and the database still is.
      await place?.target.removeAll()
      await place?.unmark()
      await removeKeyFile(config.dataDir)
    }
    signal.throwIfAborted()
    throw placed(error, 'the restore')
  } finally {
    await place?.close()
    await removeDurably(restoring)
  }
}

/** Makes the folders, and the one that marks them as unfinished. Returns the latter. */
async function begin(config: Config, log: Log): Promise<string> {
  await makeDataDir(config.dataDir, log)
  const restoring = restoringFolder(config)
  await mkdir(restoring, { mode: 0o700 })
  await syncFolder(config.dataDir)
  return restoring
}

async function load(bulk: Bulk, snapshot: Snapshot, call: Call): Promise<void> {
  await loadDatabase(bulk, snapshot, {
    migrationsFolder,
    finish: async (sql) => {
      if (!call.has('no-mail')) return
      await upsertSetting(sql, emailsHeldKey, true, new Date(systemClock.now()))
    },
  })
}

/** Without the secret that sealed them, some values are lost: says which. */
async function restoreKey(config: Config, snapshot: Snapshot): Promise<void> {
  const key = await snapshot.readKey()
  if (key !== null) await restoreKeyFile(config.dataDir, key)
  const secret = config.jwtSecret ?? key
  if (secret !== null && new Keys(secret).fingerprint === snapshot.head.key.fingerprint) return
  const hint =
    key === null
      ? 'Set the JWT_SECRET of the backed up service.'
      : 'Unset JWT_SECRET to use the secret.key of the backup.'
  process.stderr.write(
    'The service was backed up with another secret: sessions, second factors and the SMTP ' +
      `password are lost until it has that one. ${hint}\n`,
  )
}

function report(snapshot: Snapshot, call: Call, damages: Damages): Report {
  const { name, complete } = snapshot
  const { files, storedBytes } = complete
  const lines = [`restored ${files} files, ${formatBytes(storedBytes)}, from ${name}`]
  if (damages.count > 0) {
    lines.push(`${damages.listed.length} files are damaged: the service refuses to send them`)
  }
  if (call.has('no-mail')) lines.push('emails are held: transfer emails release sends them')
  return {
    json: {
      snapshot: name,
      files,
      stored_bytes: storedBytes,
      emails_held: call.has('no-mail'),
      damaged: damages.listed,
    },
    text: lines.join('\n'),
    isFailure: damages.count > 0,
  }
}
