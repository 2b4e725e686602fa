// Boot and shutdown of the service as a process: output, refusals and remains.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Client } from '../helpers/client.ts'
import { plantSeed } from '../helpers/seed.ts'
import {
  databaseProcesses,
  makeBallast,
  makeDataDir,
  removeDataDir,
} from '../helpers/service-process.ts'
import { runCommand, ServiceProcess } from '../helpers/service-process.ts'
import { SlowReader } from '../helpers/slow-reader.ts'
import { until } from '../helpers/until.ts'

interface Scene {
  dataDir: string
  env: Record<string, string>
  /** Killed at the end if it still runs. */
  services: ServiceProcess[]
}

const admin = { email: 'admin@example.org', password: 'correct horse battery' }
const localLinks = 'links work on this machine only: set BASE_URL'
const adminEnv = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password }

async function start(scene: Scene, env: Record<string, string> = {}): Promise<ServiceProcess> {
  const service = await ServiceProcess.start({ ...scene.env, ...env })
  scene.services.push(service)
  return service
}

function setScene(scene: Scene): void {
  scene.dataDir = makeDataDir()
  makeBallast(scene.dataDir)
  scene.env = { DATA_DIR: scene.dataDir }
  scene.services = []
}

async function clearScene(scene: Scene): Promise<void> {
  for (const service of scene.services) await service.clear()
  await removeDataDir(scene.dataDir)
}

async function signIn(url: string, account = admin): Promise<Client> {
  const client = new Client(url)
  const answer = await client.post('/api/auth/login', account)
  assert.is(answer.status, 200)
  client.token = answer.json().token
  return client
}

const boot = suite<Scene>('cli: serve, boot')
boot.before.each(setScene)
boot.after.each(clearScene)

boot('should print one line with its addresses and the data directory', async (scene) => {
  const service = await start(scene, { ...adminEnv, HOST: '0.0.0.0' })
  const lines = service.stdout.split('\n').filter((line) => line.startsWith('listening on '))
  const shown = `listening on http://localhost:${service.port} docs off data ${scene.dataDir}`
  assert.equal(lines, [shown])
  assert.not.match(service.stdout, 'setup: ', 'there is an administrator')
  assert.match(service.stdout + service.stderr, localLinks)
  const client = new Client(service.url)
  assert.is((await client.get('/readyz')).status, 200, 'it answers after that line')
})

boot('should print a setup link that creates the first administrator, once', async (scene) => {
  const BASE_URL = 'https://files.example.org'
  const service = await start(scene, { BASE_URL, HOST: '0.0.0.0' })
  await until('the link is there', () => /^setup: .*\n/m.test(service.stdout))
  assert.not.match(service.stdout + service.stderr, localLinks)
  const [, token] = /^setup: https:\/\/files\.example\.org\/setup#token=(\S+)$/m.exec(
    service.stdout,
  )!
  const client = new Client(service.url)

  const input = { token, name: 'Admin', ...admin }
  assert.is((await client.post('/api/setup', input)).status, 200)

  await service.stop()
  const again = await start(scene)
  assert.not.match(again.stdout, 'setup: ')
})

boot('should create the administrator of ADMIN_* once, and never change it', async (scene) => {
  const first = await start(scene, adminEnv)
  assert.match(first.stdout, 'created first administrator')
  await first.stop()

  const second = await start(scene, { ...adminEnv, ADMIN_PASSWORD: 'another password' })
  assert.match(second.stdout, 'ignored ADMIN_EMAIL and ADMIN_PASSWORD')
  const client = await signIn(second.url)
  const answer = await client.post('/api/auth/login', { ...admin, password: 'another password' })
  assert.is(answer.status, 401)
  for (const { stdout, stderr } of [first, second])
    assert.not.match(stdout + stderr, admin.password)
})

boot('should name a taken port and the solution, and stop what it had started', async (scene) => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  try {
    const { port } = other.address() as AddressInfo
    const env = { ...scene.env, HOST: '127.0.0.1', PORT: String(port) }
    const { code, stdout, stderr } = await runCommand(['serve'], env)
    assert.is(code, 1)
    assert.match(stderr, new RegExp(`^PORT ${port} is used .* set PORT to a free one\\.\\n$`))
    assert.not.match(stdout, 'listening on')
    assert.equal(databaseProcesses(scene.dataDir), [])
  } finally {
    other.close()
    await once(other, 'close')
  }
})

boot('should report an address that is not of this machine', async (scene) => {
  const env = { ...scene.env, HOST: '192.0.2.1', PORT: '0' }
  const { code, stderr } = await runCommand(['serve'], env)
  assert.is(code, 1)
  assert.is(stderr, 'HOST 192.0.2.1 is not an address of this machine.\n')
  assert.equal(databaseProcesses(scene.dataDir), [])
})

// ---

const stop = suite<Scene>('cli: serve, stop')
stop.before.each(async (scene) => {
  setScene(scene)
  plantSeed(scene.dataDir)
})
stop.after.each(clearScene)

/** More than the buffers of the sockets, so that the download waits for its reader. */
const largeBytes = 48 * 1024 * 1024

async function startDownload(service: ServiceProcess): Promise<SlowReader> {
  const sender = await signIn(service.url)
  const shareId = await sender.share({ 'large.bin': Buffer.alloc(largeBytes, 'large') })
  const { files } = (await sender.get(`/api/public/shares/${shareId}`)).json()
  const reader = await SlowReader.open(`${service.url}/api/shares/${shareId}/files/${files[0].id}`)
  assert.is(reader.status, 200)
  assert.ok((await reader.read(1)).length > 0)
  return reader
}

/** The service has been told to stop: it refuses new connections. */
const refuses = (service: ServiceProcess) =>
  until('new connections are refused', async () => {
    const socket = connect({ host: '127.0.0.1', port: Number(service.port) })
    const isRefused = await once(socket, 'connect').then(
      () => false,
      () => true,
    )
    socket.destroy()
    return isRefused
  })

stop('should end at once when nothing runs', async (scene) => {
  const service = await start(scene, adminEnv)
  // An idle keep-alive connection must not hold it up.
  await signIn(service.url)
  assert.ok(databaseProcesses(scene.dataDir).length > 0)
  service.child.kill('SIGINT')
  const { code, stderr } = await service.ended()
  assert.equal([code, stderr], [0, ''])
  assert.equal(databaseProcesses(scene.dataDir), [])
})

stop('should let a running download end, and accept no connection meanwhile', async (scene) => {
  const service = await start(scene, adminEnv)
  const reader = await startDownload(service)
  service.child.kill('SIGTERM')
  await refuses(service)
  assert.is(service.child.exitCode, null, 'it waits for the download')
  assert.is((await reader.readRest()).isComplete, true)
  const { code } = await service.ended()
  assert.is(code, 0)
  assert.equal(databaseProcesses(scene.dataDir), [])
})

stop('should abort running transfers at a second signal', async (scene) => {
  const service = await start(scene, adminEnv)
  const reader = await startDownload(service)
  service.child.kill('SIGTERM')
  await refuses(service)
  service.child.kill('SIGTERM')
  // It ends although the client has stopped reading.
  const { code } = await service.ended()
  assert.is(code, 0)
  assert.is((await reader.readRest()).isComplete, false)
  assert.equal(databaseProcesses(scene.dataDir), [])
})

stop('should stop while it is still starting', async (scene) => {
  const service = ServiceProcess.launch(scene.env)
  scene.services.push(service)
  const hasDatabase = () => databaseProcesses(scene.dataDir).length > 0
  await until('its database starts', () => hasDatabase() || service.hasEnded)
  service.child.kill('SIGTERM')
  const { code, stderr } = await service.ended()
  assert.is(code, 0, stderr)
  assert.equal(databaseProcesses(scene.dataDir), [])
})
