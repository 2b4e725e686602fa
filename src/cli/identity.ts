// What belongs together: the database, the secret and DATA_DIR of one service. A command with other
// options than the service would otherwise write into a new database, or seal with another key.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { hasKey, loadKeys, settleNextKey, type Keys } from '../accounts/sign-in/keys.ts'
import { sealedKinds } from '../accounts/sign-in/sealed-sql.ts'
import type { Config } from '../config/load.ts'
import type { Database } from '../database/connect.ts'
import * as rows from '../database/identity-sql.ts'
import { writeDurably } from '../lib/durable-file.ts'
import { isSystemError } from '../lib/errors.ts'
import { randomRowId } from '../lib/random-id.ts'

/** The options name parts of different services; the message says which, and what to do. */
export class OtherInstance extends Error {
  override readonly name = 'OtherInstance'
}

const noteName = 'instance.json'
const sameOptions =
  'Use the options of the service: name its file with --config, or set the same variables.'

/** In DATA_DIR: the database that belongs to it. */
interface Note {
  readonly database: string
  readonly isEmbedded: boolean
}

/**
 * Before a database is opened: DATA_DIR may belong to one that only DATABASE_URL names.
 * @throws OtherInstance
 */
export async function refuseMissingUrl({ dataDir, databaseUrl }: Config): Promise<void> {
  if (databaseUrl !== null) return
  const note = await readNote(dataDir)
  if (note === null || note.isEmbedded) return
  throw new OtherInstance(
    `DATA_DIR (${dataDir}) belongs to a database that DATABASE_URL names, ` +
      `but DATABASE_URL is not set. ${sameOptions}`,
  )
}

/**
 * For a database that no service has used yet: that of DATA_DIR is another one.
 * @throws OtherInstance
 */
export async function refuseNewDatabase({ dataDir, databaseUrl }: Config): Promise<void> {
  if ((await readNote(dataDir)) === null) return
  const which = databaseUrl === null ? 'its database is empty' : 'DATABASE_URL names an empty one'
  throw new OtherInstance(
    `DATA_DIR (${dataDir}) belongs to another database: ${which}. ${sameOptions} ` +
      'For a new service, choose an empty DATA_DIR.',
  )
}

/**
 * The keys of the options, which must be those of the database, as DATA_DIR must be.
 * @param isService records what belongs together at the first start; a command only compares
 * @throws OtherInstance
 */
export async function openKeys(
  database: Database,
  config: Config,
  { isService }: { isService: boolean },
): Promise<Keys> {
  const { dataDir, jwtSecret } = config
  const known = await rows.findIdentity(database.sql)
  if (known === null) await refuseNewDatabase(config)
  else {
    await refuseOtherFolder(config, known)
    if (jwtSecret === null) {
      await settleNextKey(dataDir, known.secret)
      await requireKey(dataDir)
    }
  }
  const keys = await database.begin(async (sql) => {
    // A service and a command may begin at once, and one of them makes the key file.
    await rows.lockIdentity(sql)
    return loadKeys(jwtSecret, dataDir)
  })
  const isOther =
    known === null ? await isForeign(database, keys) : known.secret !== keys.fingerprint
  if (isOther) throw new OtherInstance(otherSecret(config))
  if (isService) await recordIdentity(database, config, keys)
  return keys
}

/** Writes down what belongs together, in the database and in DATA_DIR. */
async function recordIdentity(database: Database, config: Config, keys: Keys): Promise<void> {
  const { sql } = database
  await rows.insertIdentity(sql, { id: randomRowId(), secret: keys.fingerprint })
  const { id, secret } = (await rows.findIdentity(sql))!
  // Another instance has started at the same time.
  if (secret !== keys.fingerprint) throw new OtherInstance(otherSecret(config))
  const note: Note = { database: id, isEmbedded: config.databaseUrl === null }
  const { dataDir } = config
  const before = await readNote(dataDir)
  if (before?.database === note.database && before.isEmbedded === note.isEmbedded) return
  await writeDurably(path.join(dataDir, noteName), `${JSON.stringify(note)}\n`)
}

/** For a database that no service has used yet: whether the keys cannot open what it has sealed. */
async function isForeign(database: Database, keys: Keys): Promise<boolean> {
  for (const kind of sealedKinds) {
    const [row] = await kind.list(database.sql, '', 1)
    if (row) return !canOpen(keys, row.sealed)
  }
  return false
}

export function canOpen(keys: Keys, sealed: Buffer): boolean {
  try {
    keys.unseal(sealed)
    return true
  } catch {
    return false
  }
}

async function refuseOtherFolder({ dataDir, databaseUrl }: Config, known: rows.Identity) {
  const note = await readNote(dataDir)
  if (note === null || note.database === known.id) return
  const named = databaseUrl === null ? 'than the one in it' : 'than the one of DATABASE_URL'
  throw new OtherInstance(
    `DATA_DIR (${dataDir}) belongs to another database ${named}. ${sameOptions}`,
  )
}

function otherSecret({ jwtSecret, dataDir }: Config): string {
  const which =
    jwtSecret === null
      ? `${path.join(dataDir, 'secret.key')} is not the secret of this database`
      : 'JWT_SECRET is not the secret of this database'
  return `${which}. ${sameOptions} To change the secret, run transfer secret rotate.`
}

/** @throws OtherInstance without a key file */
export async function requireKey(dataDir: string): Promise<void> {
  if (await hasKey(dataDir)) return
  throw new OtherInstance(
    `${path.join(dataDir, 'secret.key')} is missing, and JWT_SECRET is not set. Restore the file ` +
      'from a backup, or set JWT_SECRET if it was set before. If the secret is lost, run ' +
      'transfer secret rotate --lost.',
  )
}

async function readNote(dataDir: string): Promise<Note | null> {
  try {
    return JSON.parse(await readFile(path.join(dataDir, noteName), 'utf8')) as Note
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR') || error instanceof SyntaxError) return null
    throw error
  }
}
