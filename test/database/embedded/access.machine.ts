// Access to the embedded server, and its roles.
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { canRun } from '../../../src/database/embedded/accounts.ts'
import type { EmbeddedAddress } from '../../../src/database/embedded/start.ts'
import { ask, clearScene, clusterOf, isRoot, setScene, skip, startIn } from './scene.ts'
import type { Scene } from './scene.ts'

const access = suite<Scene>('embedded access')
access.before.each(setScene)
access.after.each(clearScene)

const superuserOf = (address: EmbeddedAddress): EmbeddedAddress => ({
  socketDir: address.socketDir,
  database: address.database,
  user: 'transfer',
})
const rightsQuery = `
  select string_agg(rolname, ',' order by rolname)
  from pg_roles
  where rolcanlogin and (rolsuper or rolcreatedb or rolcreaterole or rolreplication)`

access('should work as a role without rights beside its own database', async (scene) => {
  const server = await startIn(scene)
  assert.is(await ask(server, 'select current_user'), 'transfer_service')
  assert.is(await ask(server, rightsQuery), 'transfer')
  await ask(server, 'create table made (id integer)')
  for (const refused of [
    "copy (select 1) to program 'true'",
    "select pg_read_file('PG_VERSION')",
    'create role other',
    'create database other',
    'set role transfer',
    "alter system set work_mem = '3MB'",
  ]) {
    await assertDenied(() => ask(server, refused), refused)
  }
  const superusers = `
    select count(*) from pg_stat_activity join pg_roles on rolname = usename where rolsuper
    and pid <> pg_backend_pid() and backend_type = 'client backend'`
  assert.is(await ask(superuserOf(server), superusers), 0, 'no connection is left with all rights')
})

async function assertDenied(work: () => Promise<unknown>, title: string): Promise<void> {
  let code: unknown = 'none'
  try {
    await work()
  } catch (error) {
    code = (error as { code?: unknown }).code
  }
  assert.is(code, '42501', title)
}

/** Sends the first message of the protocol and prints the answer: `R` admits, `E` refuses. */
const knock = `
const [file, user] = process.argv.slice(1)
const words = Buffer.from('user\\0' + user + '\\0database\\0postgres\\0\\0')
const head = Buffer.alloc(8)
head.writeInt32BE(words.length + 8, 0)
head.writeInt32BE(196608, 4)
const socket = require('net').connect(file, () => socket.write(Buffer.concat([head, words])))
socket.on('data', (data) => { console.log(data.toString('latin1')); socket.destroy() })
socket.on('error', (error) => console.log(error.code))
`
function connectAs(uid: number, { socketDir }: EmbeddedAddress, user: string): string {
  const args = ['-e', knock, path.join(socketDir, '.s.PGSQL.5432'), user]
  const done = spawnSync(process.execPath, args, { uid, gid: uid, cwd: '/', timeout: 20_000 })
  return String(done.stdout)
}

access("should refuse the server's own user, and every other one, both roles", async (scene) => {
  const server = await startIn(scene)
  const { uid } = statSync(clusterOf(scene))
  const account = { name: '', uid, gid: uid }
  if (!isRoot || !canRun(account, process.execPath)) return skip('needs root, and a Node for all')
  for (const user of ['transfer', 'transfer_service', 'postgres']) {
    assert.match(connectAs(uid, server, user), /^E.*C28000/s, user)
    assert.match(connectAs(54_321, server, user), 'EACCES', user)
  }
  assert.match(connectAs(0, server, 'transfer_service'), /^R/)
})
