// The contract, with an external PostgreSQL and files in a small S3: the files of `npm test` that
// ask a whole service, run as they are there.
import { spawnSync } from 'node:child_process'
import { readdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  serverDatabase,
  serverPort,
  serverUser,
  superuser,
} from '../../src/database/embedded/settings.ts'
import { patient } from '../helpers/patience.ts'
import { findPostgres, startOwnPostgres, type OwnPostgres } from './own-postgres.ts'

const contract = suite('cluster: contract')
const here = path.join(import.meta.dirname, '..')
const fileMsMax = patient(300_000)
/** Their tests break disks and count links of a disk. */
const ofDisks = new Set(['shares/copies/copies.test.js'])
const files = ['contract', 'shares', 'requests'].flatMap((folder) =>
  readdirSync(path.join(here, folder), { recursive: true })
    .map((name) => path.join(folder, String(name)))
    .filter((name) => name.endsWith('.test.js') && !ofDisks.has(name)),
)
let postgres: OwnPostgres
const found = findPostgres()

if (found === null) process.stdout.write('\nskipped: no postgresql\n')
else addTests(found)

function addTests(bin: string): void {
  contract.before(async () => {
    postgres = await startOwnPostgres(bin)
    const { socketDir } = postgres
    const [socket = ''] = readdirSync(socketDir).filter((name) => /^\.s\.PGSQL\.\d+$/.test(name))
    symlinkSync(socket, path.join(socketDir, `.s.PGSQL.${serverPort}`))
    // As tests name them on the server that they share.
    postgres.run('postgres', `create role ${serverUser} login`)
    postgres.run('postgres', `alter role ${superuser} superuser`)
    if (serverDatabase !== 'postgres') postgres.createDatabase(serverDatabase)
  })
  contract.after(() => postgres.stop())

  for (const store of ['folder', 's3']) {
    for (const file of files) {
      contract(`should hold with ${store} in ${file}`, () => {
        const { TEST_TEMPLATE: _, ...rest } = process.env
        const env = { ...rest, TEST_STORE: store, TEST_SOCKET_DIR: postgres.socketDir }
        const args = [path.join(here, 'helpers', 'setup.js'), path.join(here, file)]
        const options = { env, encoding: 'utf8', timeout: fileMsMax } as const
        const { status, stdout } = spawnSync(process.execPath, args, options)
        assert.is(status, 0, stdout.slice(-3_000))
      })
    }
  }
}
