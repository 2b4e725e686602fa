// Checks for administrators: the disk, the address of the service, and its components.
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadConfig, visibleOptions } from '../../src/config/load.ts'
import { version } from '../../src/lib/package-root.ts'
import type { Client } from '../helpers/client.ts'
import { startService, type Service } from '../helpers/service.ts'

const checks = suite('admin: checks')
let service: Service
let admin: Client

checks.before(async () => {
  service = await startService()
  admin = await service.admin()
})
checks.after(async () => {
  await admin.close()
  await service.stop()
})

const test = async () => (await admin.post('/api/admin/storage/test')).json()
const names = () => readdirSync(service.storageDir).filter((name) => name.startsWith('write-test'))

checks('should write to the disk, read it back, and leave nothing behind', async () => {
  // Left by a killed test.
  writeFileSync(path.join(service.storageDir, 'write-test.1'), 'left over')
  const result = await test()
  assert.is(result.success, true)
  assert.ok(result.bytes_per_second > 0)
  assert.is.not(result.free_bytes, 0)
  assert.ok(result.total_bytes >= result.free_bytes)
  assert.equal(names(), [])
})

checks('should show administrators the paths of the service, and no secrets', async () => {
  const own = await startService({
    env: {
      BASE_URL: 'https://files.example.org',
      DOCS_URL: 'https://docs.example.org',
      DOCS_PORT: '8081',
      TRUST_PROXY: 'loopback',
      DATABASE_URL: 'postgres://ann:secret@db.example.org/files',
    },
  })
  try {
    const chief = await own.admin()
    const options = (await chief.get('/api/admin/options')).json()
    assert.equal(options, {
      BASE_URL: 'https://files.example.org',
      DOCS_URL: 'https://docs.example.org',
      TRUST_PROXY: 'loopback',
      DATABASE_URL: 'db.example.org/files',
    })
    const user = await own.user('user@example.org')
    assert.is((await user.get('/api/admin/options')).status, 403)
    assert.is((await own.client().get('/api/admin/options')).status, 401)
  } finally {
    await own.stop()
  }
})

for (const [env, expected] of [
  [{}, ''],
  [
    { DATABASE_URL: 'postgres://ann:secret@db.example.org:5433/files' },
    'db.example.org:5433/files',
  ],
  [{ DATABASE_URL: 'postgresql:///files?host=/run/postgresql&password=x' }, '/files'],
  [{ DATABASE_URL: 'postgresql://ann@%2frun%2fpostgresql/files' }, '/files'],
  [{ DATABASE_URL: 'postgresql:///files?host=db.example.org&user=ann' }, 'db.example.org/files'],
  [
    { DATABASE_URL: 'postgresql://old.example.org:5432/files?host=db.example.org&port=5433' },
    'db.example.org:5433/files',
  ],
] as const) {
  checks(`should show ${expected || 'no place'} for ${JSON.stringify(env)}`, () => {
    const { config } = loadConfig({ ...env, DOCS_PORT: 'off' })
    const { DATABASE_URL: place, DOCS_URL: docs } = visibleOptions(config)
    assert.equal([place, docs], [expected, ''])
  })
}

checks('should report a missing disk', async () => {
  const marker = path.join(service.storageDir, 'storage-root.json')
  renameSync(marker, `${marker}.away`)
  const result = await test()
  renameSync(`${marker}.away`, marker)
  assert.equal([result.success, result.problem, result.cause], [false, 'missing', ''])
  assert.equal(names(), [])
  renameSync(service.storageDir, `${service.storageDir}.away`)
  const gone = await test()
  renameSync(`${service.storageDir}.away`, service.storageDir)
  assert.equal([gone.success, gone.problem, gone.free_bytes], [false, 'missing', 0])
})

checks('should report a full disk, and write nothing', async () => {
  await admin.call('PUT', '/api/config', { json: { diskFloor: 9e15 } })
  const result = await test()
  await admin.call('PUT', '/api/config', { json: { diskFloor: 0 } })
  assert.equal([result.success, result.problem, result.cause], [false, 'full', ''])
})

checks('should report the system error', async () => {
  const name = `write-test.${process.pid}`
  // A folder in the way: removing the leftover fails, under any user.
  mkdirSync(path.join(service.storageDir, name))
  const result = await test()
  rmSync(path.join(service.storageDir, name), { recursive: true })
  assert.is(result.success, false)
  assert.ok(['refused', 'failed'].includes(result.problem), result.problem)
  assert.match(result.cause, /^E[A-Z]+$/)
})

checks('should test the disk for one client at a time, and refuse many', async () => {
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => admin.post('/api/admin/storage/test')),
  )
  const statuses = answers.map(({ status }) => status)
  assert.ok(statuses.includes(200))
  assert.ok(
    statuses.every((status) => status === 200 || status === 503),
    String(statuses),
  )
  assert.equal(names(), [])
})

for (const [trust, forwarded, wanted] of [
  ['', undefined, { ip: '127.0.0.1', proxy: 'local' }],
  ['', '192.0.2.7', { ip: '127.0.0.1', proxy: 'ignored' }],
  ['10.0.0.0/8', '192.0.2.7', { ip: '127.0.0.1', proxy: 'ignored' }],
  ['loopback', '192.0.2.7', { ip: '192.0.2.7', proxy: 'believed' }],
  ['loopback', undefined, { ip: '127.0.0.1', proxy: 'local' }],
  // A request of the machine itself through its proxy.
  ['loopback', '127.0.0.1', { ip: '127.0.0.1', proxy: 'believed' }],
] as const) {
  checks(`should see a proxy: ${wanted.proxy}, TRUST_PROXY=${trust}`, async () => {
    const behind = await startService({ env: { TRUST_PROXY: trust } })
    const client = await behind.admin()
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
    assert.equal((await client.get('/api/admin/connection', headers)).json(), wanted)
    await client.close()
    await behind.stop()
  })
}

checks('should list its components, with licences as the build has found them', async () => {
  const about = (await admin.get('/api/admin/about')).json()
  assert.equal([about.version, about.runtime], [version, process.version])
  const licences = new Map<string, string>(
    about.packages.map((one: { name: string; licence: string }) => [one.name, one.licence]),
  )
  // Of the service, of its dependencies, and of the pages.
  for (const name of ['valibot', '@otplib/core', 'preact', '@preact/signals-core']) {
    assert.is(licences.get(name), 'MIT', name)
  }
  for (const name of ['esbuild', 'typescript', 'uvu']) assert.not.ok(licences.has(name), name)
})

checks('should be for administrators only', async () => {
  const user = await service.user('user@example.org')
  for (const [method, name] of [
    ['POST', 'storage/test'],
    ['GET', 'connection'],
    ['GET', 'about'],
  ] as const) {
    assert.is((await user.call(method, `/api/admin/${name}`)).status, 403)
    assert.is((await service.client().call(method, `/api/admin/${name}`)).status, 401)
  }
  await user.close()
})

checks.run()
