// A PostgreSQL of the operator: Debian's package, started in a folder for one test.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { endOf } from '../helpers/child.ts'
import { makeFolder } from '../helpers/folder.ts'
import { patient } from '../helpers/patience.ts'
import { ownPort } from '../helpers/own-port.ts'
import { until } from '../helpers/until.ts'

const versions = '/usr/lib/postgresql'
const patienceMs = patient(30_000)

/** The newest installed server with its `pg_dump`, or null. */
export function findPostgres(): string | null {
  if (!existsSync(versions)) return null
  const found = readdirSync(versions)
    .toSorted((left, right) => Number(right) - Number(left))
    .map((version) => path.join(versions, version, 'bin'))
    .find((bin) => ['initdb', 'postgres', 'pg_dump'].every((name) => existsSync(`${bin}/${name}`)))
  return found ?? null
}

export interface OwnPostgres {
  /** The folder of its socket. */
  readonly socketDir: string
  /** An empty database of a role without further rights. Returns its address. */
  createDatabase(name: string): string
  run(database: string, statement: string): void
  /** Ends it as a crash does, and starts it again. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** @param bin the folder of its programs */
export async function startOwnPostgres(bin: string): Promise<OwnPostgres> {
  const folder = makeFolder()
  // It refuses to run as root.
  const account = postgresAccount()
  if (account) chownSync(folder, account.uid, account.gid)
  chmodSync(folder, 0o700)
  const port = ownPort()
  const data = path.join(folder, 'data')
  const made = spawnSync(
    path.join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '-E', 'UTF8', '--locale=C', '-A', 'trust', '--no-sync'],
    { ...account, cwd: folder, encoding: 'utf8', timeout: patienceMs },
  )
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`)
  const options = ['-p', String(port), '-h', '127.0.0.1', '-k', folder, '-F']
  const address = ['-h', '127.0.0.1', '-p', String(port)]
  const start = async () => {
    const child = spawn(path.join(bin, 'postgres'), ['-D', data, ...options], {
      ...account,
      cwd: folder,
      stdio: 'ignore',
    })
    await until('PostgreSQL answers', () => {
      const options = { timeout: patienceMs }
      return spawnSync(path.join(bin, 'pg_isready'), address, options).status === 0
    })
    return child
  }
  let child = await start()
  const end = async () => {
    const ended = endOf(child)
    child.kill('SIGQUIT')
    await ended
  }
  // As in docs/postgresql.md.
  const administer = (program: string, ...args: string[]) => {
    const done = spawnSync(path.join(bin, program), [...address, '-U', 'postgres', ...args], {
      encoding: 'utf8',
      timeout: patienceMs,
    })
    if (done.status !== 0) throw new Error(`${program} failed: ${done.stderr}`)
  }
  administer('createuser', 'transfer')
  return {
    socketDir: folder,
    createDatabase(name) {
      const options = ['--owner=transfer', '--encoding=UTF8', '--template=template0']
      administer('createdb', ...options, name)
      return `postgres://transfer@127.0.0.1:${port}/${name}`
    },
    run: (database, statement) => administer('psql', '-d', database, '-c', statement),
    async restart() {
      await end()
      child = await start()
    },
    stop: end,
  }
}

/** The account that runs the server of Debian's package; null where this one may. */
export function postgresAccount(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null
  const idOf = (flag: string) => Number(spawnSync('id', [flag, 'postgres']).stdout)
  return { uid: idOf('-u'), gid: idOf('-g') }
}
