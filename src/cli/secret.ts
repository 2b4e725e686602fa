import {
  loadKeys,
  makeNextKey,
  readFormerKeys,
  settleNextKey,
  type Keys,
} from '../accounts/sign-in/keys.ts'
import { sealedKinds, type SealedKind } from '../accounts/sign-in/sealed-sql.ts'
import { loadConfig, type Config } from '../config/load.ts'
import type { Database, Sql } from '../database/connect.ts'
import { lockIdentity, updateIdentitySecret } from '../database/identity-sql.ts'
import { hasInstance } from '../database/instances-sql.ts'
import { migrate } from '../database/migrate.ts'
import { holdProcessLock } from '../database/process-lock.ts'
import { DatabaseInUse } from '../database/service-lock.ts'
import { isSystemError } from '../lib/errors.ts'
import { createLog, logOutput } from '../lib/log.ts'
import { randomRowId } from '../lib/random-id.ts'
import { type Call, type Report, CommandError, UsageError } from './command.ts'
import { canOpen, requireKey } from './identity.ts'
import { migrationsFolder } from './migrate.ts'
import { describeDatabase, openDatabase } from './open-database.ts'
import { confirm } from './prompt.ts'

/** Rows that are sealed again at a time. */
const pageRows = 200
/** For all of them, on a slow disk. */
const statementMsMax = 600_000

interface Rotation {
  /** Null when the former secret is lost. */
  readonly former: Keys | null
  readonly next: Keys
}

/** What could not be opened, and was removed, by kind. */
type Lost = Record<string, number>

/** Changes the secret while no service runs, and seals again what the former one has sealed. */
export async function rotateSecret(call: Call): Promise<Report> {
  const config = loadConfig(process.env).config
  const log = createLog({ level: 'error', write: logOutput(process.stderr).write })
  if (call.has('lost')) {
    if (call.text('from') !== null) throw new UsageError('use --from or --lost, not both')
    const question =
      'Second factors and secret settings are removed, and unsent emails too. Type "lost":'
    await confirm(question, 'lost', call.has('yes'))
  }
  const open = await openDatabase(config, log, { beside: false, create: false })
  try {
    const named = describeDatabase(config)
    const lock = await holdProcessLock(randomRowId(), open.database, open.address, {
      database: named,
      onReplaced: () => {},
    })
    try {
      await migrate(open.database, { folder: migrationsFolder, log })
      // One of several takes no lock of the only service.
      if (await hasInstance(open.database.sql)) throw new DatabaseInUse(named, null)
      return await rotate(open.database, config, call)
    } finally {
      await lock.close()
    }
  } finally {
    await open.close()
  }
}

async function rotate(database: Database, config: Config, call: Call): Promise<Report> {
  const { jwtSecret, dataDir } = config
  const lost: Lost = {}
  const fingerprint = await database.begin(
    async (sql) => {
      // Before the new key is made, which commands would take for that of a killed rotation.
      const known = await lockIdentity(sql)
      if (known === null) throw new CommandError('start the service once with its present secret')
      // The database may have the key of a rotation that was killed.
      if (jwtSecret === null) await settleNextKey(dataDir, known.secret)
      const { former, next } = await chooseKeys(known.secret, config, call)
      if (next.fingerprint === known.secret) {
        throw new CommandError(
          'this is the secret of the database already: nothing was changed. Set the new one first.',
        )
      }
      for (const kind of sealedKinds) await sealAgain(sql, kind, former, next, lost)
      await updateIdentitySecret(sql, next.fingerprint)
      return next.fingerprint
    },
    { statementMsMax },
  )
  // A command may have done it already.
  await settleNextKey(dataDir, fingerprint)
  const removed = Object.entries(lost).map(([name, count]) => `Removed ${name}: ${count}.`)
  return {
    json: { rotated: true, lost },
    text: ['The secret is changed, and every session has ended.', ...removed].join('\n'),
  }
}

async function chooseKeys(wanted: string, config: Config, call: Call): Promise<Rotation> {
  const { jwtSecret, dataDir } = config
  const from = call.text('from')
  if (call.has('lost')) {
    return { former: null, next: await loadKeys(jwtSecret, dataDir) }
  }
  if (from !== null) {
    const keys = await readFormerKeys(from).catch((error: unknown) => {
      if (!isSystemError(error, 'ENOENT', 'EISDIR', 'ENOTDIR')) throw error
      throw new CommandError(`--from: ${from} is not a file`, { cause: error })
    })
    const former = keys.find(({ fingerprint }) => fingerprint === wanted)
    if (!former) throw new CommandError(`${from} does not hold the secret of this database`)
    return { former, next: await loadKeys(jwtSecret, dataDir) }
  }
  if (jwtSecret !== null) {
    throw new UsageError(
      'JWT_SECRET is set: save its former value in a file, set the new value,\n' +
        'and run transfer secret rotate --from FILE',
    )
  }
  await requireKey(dataDir)
  const former = await loadKeys(null, dataDir)
  if (former.fingerprint !== wanted) {
    throw new CommandError(
      'the key file is not the secret of this database: name the former secret with --from',
    )
  }
  return { former, next: await makeNextKey(dataDir) }
}

/** Opens each value with the former keys; what they cannot open is removed and counted. */
async function sealAgain(sql: Sql, kind: SealedKind, former: Keys | null, next: Keys, lost: Lost) {
  let after = ''
  for (;;) {
    const rows = await kind.list(sql, after, pageRows)
    for (const { key, sealed } of rows) {
      if (former !== null && canOpen(former, sealed)) {
        await kind.update(sql, { key, sealed: next.seal(former.unseal(sealed)) })
      } else if (!canOpen(next, sealed)) {
        await kind.remove(sql, key)
        lost[kind.name] = (lost[kind.name] ?? 0) + 1
      }
    }
    const last = rows.at(-1)
    if (!last || rows.length < pageRows) return
    after = last.key
  }
}
