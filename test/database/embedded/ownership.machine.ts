import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../../helpers/until.ts'
import { connect, databaseFailure } from '../../../src/database/connect.ts'
import { isPostmasterOf } from '../../../src/database/embedded/processes.ts'
import { DataDirInUse, findRunning } from '../../../src/database/embedded/start.ts'
import { ask, clearScene, clusterOf, killHard, setScene, startFailure } from './scene.ts'
import { startIn, startService, type Scene } from './scene.ts'

const addressOf = (scene: Scene) => {
  const address = findRunning(scene.dataDir)
  if (!address) throw new Error('no server runs')
  return address
}

const inUse = ({ dataDir }: Scene, pid?: number) =>
  `DATA_DIR (${dataDir}) is in use by pid ${pid}. Stop that service or command first.`

const ownership = suite<Scene>('embedded ownership')
ownership.before.each(setScene)
ownership.after.each(clearScene)

ownership('should know a server whose process is hidden by its socket', async (scene) => {
  // As in a sandbox of systemd, which hides the processes of others.
  const hidden = path.join(scene.dataDir, 'no-processes')
  const server = await startIn(scene)
  const cluster = clusterOf(scene)
  assert.is(isPostmasterOf(server.pid, cluster, hidden), true)
  const file = readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8')
  await server.stop()
  // A leftover, whose number another process has now.
  writeFileSync(path.join(cluster, 'postmaster.pid'), file)
  assert.is(isPostmasterOf(process.pid, cluster, hidden), false)
})

ownership('should accept one of many that start at the same moment', async (scene) => {
  const services = await Promise.all([1, 2, 3].map(() => startService(scene)))
  const winners = services.filter(({ said }) => said.failure === undefined)
  assert.is(winners.length, 1)
  const [winner] = winners
  const others = services.filter((service) => service !== winner)
  for (const { said } of others) {
    assert.is(said.failure, inUse(scene, winner?.child.pid))
  }
  assert.is(await startFailure(scene), inUse(scene, winner?.child.pid))
  assert.equal(scene.logged, [], 'it does not log a takeover')
  assert.is(await ask(addressOf(scene), 'select 1'), 1)
})

ownership('should restart a server that it took over and that was killed', async (scene) => {
  const { child, said } = await startService(scene)
  await killHard(child)
  const server = await startIn(scene)
  process.kill(said.pid, 'SIGKILL')
  await until(() => server.available && server.pid !== said.pid)
  assert.is(await ask(server, 'select 1'), 1)
})

const supervision = suite<Scene>('embedded supervision')
supervision.before.each(setScene)
supervision.after.each(clearScene)

supervision('should restart a killed server, with its lock and its data', async (scene) => {
  const server = await startIn(scene)
  const { socketDir, user, database } = server
  const db = connect({ socketDir, user, database, applicationName: 'test' })
  try {
    await db.sql`create table kept as select 1 as n`
    for (let round = 0; round < 2; round += 1) {
      const { pid } = server
      process.kill(pid, 'SIGKILL')
      await until(() => !server.available)
      const failure: unknown = await db.sql`select 1`.catch((error: unknown) => error)
      if (failure instanceof Error) assert.ok(databaseFailure(failure), String(failure))
      await until(() => server.available && server.pid !== pid)
      assert.is((await db.sql`select n from kept`)[0]?.['n'], 1)
    }
  } finally {
    await db.close()
  }
  assert.is(await startFailure(scene), inUse(scene, process.pid))
  assert.ok(scene.logged.some((line) => line.message === 'database is back'))
})

supervision('should end backends that survive a killed server', async (scene) => {
  const server = await startIn(scene)
  const { socketDir, user, database, pid } = server
  const db = connect({ socketDir, user, database, connectionsMax: 1, applicationName: 'test' })
  try {
    // Computes for long without ever waiting, and so does not notice.
    const busy = db.sql`
      select sum(a * b) from generate_series(1, 1e5) a, generate_series(1, 1e5) b`
    const failed = busy.catch((error: unknown) => error)
    const isBusy =
      "select count(*) from pg_stat_activity where query like '%sum(a%' and pid <> pg_backend_pid()"
    await until(async () => (await ask(server, isBusy)) === 1)
    process.kill(pid, 'SIGKILL')
    await until(() => server.available && server.pid !== pid)
    assert.ok(databaseFailure(await failed))
    assert.is(await ask(server, 'select 1'), 1)
  } finally {
    await db.close()
  }
})

supervision('should take its lock again after the server has reset itself', async (scene) => {
  const server = await startIn(scene)
  const { pid } = server
  const holder =
    "select pid from pg_locks where locktype = 'advisory' and granted order by pid limit 1"
  process.kill(Number(await ask(server, holder)), 'SIGKILL')
  await until(() => !server.available)
  await until(() => server.available)
  assert.is(server.pid, pid)
  assert.is(await startFailure(scene), inUse(scene, process.pid))
})

supervision('should report that another process has taken the cluster', async (scene) => {
  const lost: Error[] = []
  const server = await startIn(scene, { onExit: (error) => lost.push(error) })
  const { socketDir, user, database } = server
  const address = { socketDir, user, database, connectionsMax: 1 }
  const thief = connect({ ...address, applicationName: 'transfer-service 1' })
  try {
    const key = await ask(
      server,
      `select (classid::bigint << 32 | objid::bigint)::text
       from pg_locks where locktype = 'advisory'`,
    )
    await thief.begin(async (sql) => {
      const waiting = Promise.resolve(sql.unsafe(`select pg_advisory_lock(${String(key)})`))
      await until(
        async () => (await ask(server, 'select count(*) from pg_locks where not granted')) === 1,
      )
      await ask(
        server,
        "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted",
      )
      await waiting
      await until(() => lost.length > 0)
    })
    assert.instance(lost[0], DataDirInUse)
    assert.is(server.available, false)
    await server.stop()
    assert.is((await thief.sql`select 1 as one`)[0]?.['one'], 1, 'only the owner stops it')
  } finally {
    await thief.close()
  }
})

supervision("should log the server's messages, but no statement or value", async (scene) => {
  const server = await startIn(scene)
  const secret = 'a-secret-value'
  await ask(server, `select '${secret}'::int`).catch(() => {})
  await ask(server, `do $$ begin raise warning 'mind this'; end $$`)
  await until(() => scene.logged.some((line) => String(line['text']).includes('mind this')))
  const lines = scene.logged.filter((line) => line.message === 'postgresql')
  assert.is(lines.find((line) => String(line['text']).includes('mind this'))?.level, 'warn')
  assert.is(lines.find((line) => line['severity'] === 'LOG')?.level, 'debug')
  assert.is(readFileSync(`/proc/${server.pid}/cmdline`, 'utf8').includes('fsync=on'), true)
})
