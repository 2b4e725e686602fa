import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { canRun } from '../../../src/database/embedded/accounts.ts'
import type { EmbeddedAddress } from '../../../src/database/embedded/start.ts'
import { endOf } from '../../helpers/child.ts'
import { ask, clearScene, clusterOf, copyBinaries, homeOf, isRoot, makeCluster } from './scene.ts'
import { setScene, skip, startFailure, startIn, startService, version } from './scene.ts'
import { wayOut, type Scene } from './scene.ts'

const root = suite<Scene>('embedded users')
root.before.each(setScene)
root.after.each(clearScene)

const strangerUid = 54_321

/** Null where the tests run as a root that may become other users. */
function whyNotRoot(): string | null {
  if (!isRoot) return 'the tests do not run as root'
  const { error } = spawnSync('true', { uid: strangerUid, gid: strangerUid, timeout: 10_000 })
  return error ? `this root may not become another user (${error.message})` : null
}

const lack = whyNotRoot()

/** Skipped with a line where it cannot run. */
function asRoot(name: string, test: (scene: Scene) => Promise<void>): void {
  root(name, async (scene) => {
    if (lack === null) await test(scene)
    else skip(`"${name}": ${lack}`)
  })
}

asRoot('should run as a user without rights, in a separate folder', async (scene) => {
  const server = await startIn(scene)
  const { uid } = fs.statSync(clusterOf(scene))
  assert.is.not(uid, 0)
  const status = fs.readFileSync(`/proc/${server.pid}/status`, 'utf8')
  assert.match(status, new RegExp(`^Uid:\\t${uid}\\t${uid}\\t${uid}\\t`, 'm'))
  assert.match(status, /^Groups:\t\s*$/m)
  assert.is(fs.statSync(homeOf(scene)).uid, 0)
})

asRoot('should use the owner of an existing cluster as its user', async (scene) => {
  await makeCluster(scene)
  spawnSync('chown', ['-R', '65534:65534', clusterOf(scene)])
  const server = await startIn(scene)
  assert.is(fs.statSync(`/proc/${server.pid}`).uid, 65_534)
  assert.is(await ask(server, 'select * from kept'), 1)
})

asRoot('should refuse a DATA_DIR that its user cannot enter, with advice', async (scene) => {
  fs.mkdirSync(scene.dataDir, { mode: 0o700 })
  const message = await startFailure(scene)
  assert.match(message, /^PostgreSQL runs as the user \w+, which cannot enter .*data: set DATA_DIR/)
  assert.match(message, `, or run chmod o+x ${scene.dataDir};`)
  assert.match(message, wayOut)
  assert.equal(fs.readdirSync(scene.dataDir), [])
  assert.is(fs.existsSync(scene.copyRoot), false)
  const passwdFile = path.join(scene.root, 'passwd')
  fs.writeFileSync(passwdFile, `nobody:x:65534:65534::/:\ntransfer:x:${strangerUid}:1::/:\n`)
  fs.chownSync(scene.dataDir, strangerUid, 1)
  const owned = await startFailure(scene, { machine: { passwdFile } })
  assert.match(owned, /cannot enter .*data: run this as its owner transfer, or run chmod/)
  fs.chownSync(scene.dataDir, 0, 0)
  fs.chmodSync(scene.dataDir, 0o711)
  assert.is(await ask(await startIn(scene), 'select 1'), 1, 'the advice helps')
})

asRoot('should not create an empty database when it cannot reach the old one', async (scene) => {
  await makeCluster(scene)
  fs.chmodSync(scene.dataDir, 0o700)
  const message = await startFailure(scene)
  assert.match(message, /cannot reach the database in .*: chmod o\+x .*data;/)
  assert.match(message, wayOut)
  assert.is(fs.existsSync(scene.copyRoot), false)
})

/** Binaries that only root can reach. */
function closeBinaries(scene: Scene) {
  const native = copyBinaries(scene)
  const closed = path.join(scene.root, 'closed')
  fs.mkdirSync(closed, { mode: 0o700 })
  const moved = path.join(closed, 'native')
  fs.renameSync(native, moved)
  return { findPackage: () => ({ native: moved, version }) }
}

asRoot('should share one copy of binaries that its user cannot reach', async (scene) => {
  const machine = closeBinaries(scene)
  const server = await startIn(scene, { machine })
  assert.is(await ask(server, 'select 1'), 1)
  const other = await startIn(scene, { machine, dataDir: path.join(scene.root, 'other') })
  assert.is(await ask(other, 'select 1'), 1)
  assert.equal(fs.readdirSync(scene.copyRoot), [`postgresql-${version}`])
  for (const { pid } of [server, other]) {
    const program = fs.readlinkSync(`/proc/${pid}/exe`)
    assert.is(program, path.join(scene.copyRoot, `postgresql-${version}`, 'bin/postgres'))
  }
})

asRoot('should remove copies that nothing runs from', async (scene) => {
  const machine = closeBinaries(scene)
  const old = 'postgresql-17.0.0'
  const copies = [old, `${version}.new-1-2`, 'postgresql-16.0.0', 'mine']
    .map((name) => (name.startsWith(version) ? `postgresql-${name}` : name))
    .map((name) => path.join(scene.copyRoot, name))
  for (const copy of copies) fs.mkdirSync(copy, { recursive: true })
  // In use, and just chosen.
  const program = path.join(scene.copyRoot, old, 'sleep')
  fs.cpSync('/bin/sleep', program)
  for (const copy of copies) if (!copy.includes('16.0.0')) fs.utimesSync(copy, 1, 1)
  const child = spawn(program, ['60'])
  try {
    await once(child, 'spawn')
    await startIn(scene, { machine })
    assert.equal(fs.readdirSync(scene.copyRoot).toSorted(), [
      'mine',
      'postgresql-16.0.0',
      old,
      `postgresql-${version}`,
    ])
  } finally {
    const end = endOf(child)
    child.kill('SIGKILL')
    await end
  }
})

asRoot('should explain a user or cluster that PostgreSQL refuses', async (scene) => {
  const passwdFile = path.join(scene.root, 'passwd')
  fs.writeFileSync(passwdFile, 'root:x:0:0::/:/bin/sh\npostgres:x:0:0::/:\n')
  const noUser = await startFailure(scene, { machine: { passwdFile } })
  assert.match(noUser, /needs a user `postgres` or `nobody`/)
  assert.match(noUser, wayOut)
  fs.mkdirSync(clusterOf(scene), { recursive: true })
  assert.match(await startFailure(scene), /belongs to root, but PostgreSQL refuses .*: chown -R/)
  fs.chownSync(clusterOf(scene), strangerUid, 0)
  assert.match(await startFailure(scene), /uid 54321, has no name here/)
})

asRoot('should explain a root that may not become another user', async (scene) => {
  if (!fs.existsSync('/usr/bin/setpriv')) return skip('setpriv is missing')
  const lacking = ['--bounding-set=-setuid,-setgid', '--inh-caps=-setuid,-setgid']
  const { said } = await startService(scene, ['/usr/bin/setpriv', ...lacking])
  assert.match(said.failure, /PostgreSQL could not be started as the user \w+ \(.*EPERM\)/)
  assert.match(said.failure, wayOut)
})

// --- Access to the server, and its roles.

const superuserOf = (address: EmbeddedAddress): EmbeddedAddress => ({
  socketDir: address.socketDir,
  database: address.database,
  user: 'transfer',
})
const rightsQuery = `
  select string_agg(rolname, ',' order by rolname)
  from pg_roles
  where rolcanlogin and (rolsuper or rolcreatedb or rolcreaterole or rolreplication)`

root('should work as a role without rights beside its own database', async (scene) => {
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

root("should refuse the server's own user, and every other one, both roles", async (scene) => {
  const server = await startIn(scene)
  const { uid } = fs.statSync(clusterOf(scene))
  const account = { name: '', uid, gid: uid }
  if (!isRoot || !canRun(account, process.execPath)) return skip('needs root, and a Node for all')
  for (const user of ['transfer', 'transfer_service', 'postgres']) {
    assert.match(connectAs(uid, server, user), /^E.*C28000/s, user)
    assert.match(connectAs(54_321, server, user), 'EACCES', user)
  }
  assert.match(connectAs(0, server, 'transfer_service'), /^R/)
})
