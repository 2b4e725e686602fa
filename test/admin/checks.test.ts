import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Gate, until } from '../helpers/until.ts'
import { assertError } from '../helpers/client.ts'
import { loadConfig, visibleOptions } from '../../src/config/load.ts'
import { version } from '../../src/lib/package-root.ts'
import { startService } from '../helpers/service.ts'
import { startAgain } from '../helpers/restart.ts'

const checks = suite('admin: checks')

const service = await startService()
const admin = await service.admin()

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

checks('should not test the storage while another process does', async () => {
  const shared = await startService({ isShared: true })
  const owner = await shared.admin()
  const other = await startAgain(shared)
  const release = await other.presence!.takeJob('test storage')
  assertError(await owner.post('/api/admin/storage/test'), 503, 'unavailable')
  await release!()
  assert.is((await owner.post('/api/admin/storage/test')).json().success, true)
  await other.close()
  await shared.stop()
})

checks('should show the options, and the place of the database without its secrets', async () => {
  const options = (await admin.get('/api/admin/options')).json()
  assert.equal(options, visibleOptions(service.config))
  for (const [url, expected] of [
    ['', ''],
    ['postgres://ann:secret@db.example.org:5433/files', 'db.example.org:5433/files'],
    ['postgresql:///files?host=/run/postgresql&password=x', '/files'],
    ['postgresql://ann@%2frun%2fpostgresql/files', '/files'],
    ['postgresql:///files?host=db.example.org&user=ann', 'db.example.org/files'],
    ['postgresql://old.example.org:5432/files?host=b.org&port=5433', 'b.org:5433/files'],
  ] as const) {
    const { config } = loadConfig({ DATABASE_URL: url, DOCS_PORT: 'off' })
    const { DATABASE_URL: place, DOCS_URL: docs } = visibleOptions(config)
    assert.equal([place, docs], [expected, ''])
  }
})

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
  await admin.put('/api/config', { diskFloor: 9e15 })
  const result = await test()
  await admin.put('/api/config', { diskFloor: 0 })
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

for (const [trust, cases] of Object.entries({
  '': { '': '127.0.0.1 local', '192.0.2.7': '127.0.0.1 ignored' },
  '10.0.0.0/8': { '192.0.2.7': '127.0.0.1 ignored' },
  // The last is a request of the machine itself through its proxy.
  loopback: {
    '': '127.0.0.1 local',
    '192.0.2.7': '192.0.2.7 believed',
    '127.0.0.1': '127.0.0.1 believed',
  },
})) {
  checks(`should see a proxy with TRUST_PROXY=${trust}`, async () => {
    const behind = await startService({ env: { TRUST_PROXY: trust } })
    const client = await behind.admin()
    for (const [forwarded, expected] of Object.entries(cases)) {
      const headers = forwarded === '' ? {} : { 'x-forwarded-for': forwarded }
      const { ip, proxy } = (await client.get('/api/admin/connection', headers)).json()
      assert.is(`${ip} ${proxy}`, expected)
    }
  })
}

checks('should list its components, with licences as the build has found them', async () => {
  const about = (await admin.get('/api/admin/about')).json()
  assert.equal([about.version, about.runtime], [version, process.version])
  const licences = new Map<string, string>(
    about.packages.map((one: { name: string; licence: string }) => [one.name, one.licence]),
  )
  // Of the service, of its dependencies, and of the pages.
  for (const name of ['valibot', '@otplib/core', 'preact']) {
    assert.is(licences.get(name), 'MIT', name)
  }
  for (const name of ['esbuild', 'typescript', 'uvu']) assert.not.ok(licences.has(name), name)
})

checks('should test the disk for one client at a time, and refuse many', async () => {
  const { root } = service.app.storage
  const gate = new Gate()
  let running = 0
  const isPresent = async () => {
    running += 1
    await gate.passed
    assert.is(running--, 1)
    return true
  }
  Object.assign(root, { isPresent })
  const statuses: number[] = []
  const answers = Array.from({ length: 6 }, async () => {
    statuses.push((await admin.post('/api/admin/storage/test')).status)
  })
  await until('three are refused', () => statuses.length === 3)
  gate.open()
  await Promise.all(answers)
  Reflect.deleteProperty(root, 'isPresent')
  assert.equal(statuses, [503, 503, 503, 200, 200, 200])
  assert.equal(names(), [])
})
