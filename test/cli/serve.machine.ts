// Boot and shutdown of the service as a process: output, refusals and remains.
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../helpers/until.ts'
import { Client } from '../helpers/client.ts'
import { plantSeed } from '../helpers/seed.ts'
import { databaseProcesses, ServiceProcess, type Environment } from '../helpers/service-process.ts'
import { SlowReader } from '../helpers/slow-reader.ts'
import { admin, Scene } from './scene.ts'

const localLinks = 'links work on this machine only: set BASE_URL'
const adminEnv = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password }

type Context = { scene: Scene }

/** Without the administrator and the address of `startService`. */
async function start(scene: Scene, env: Environment = {}): Promise<ServiceProcess> {
  scene.service = await ServiceProcess.start({ DATA_DIR: scene.dataDir, ...env })
  return scene.service
}

const setScene = (context: Context) => void (context.scene = new Scene())
const clearScene = ({ scene }: Context) => scene.clear()

const boot = suite<Context>('cli: serve, boot')
boot.before.each(setScene)
boot.after.each(clearScene)

boot('should print one line with its addresses and the data directory', async ({ scene }) => {
  const service = await start(scene, { ...adminEnv, HOST: '0.0.0.0' })
  const lines = service.stdout.split('\n').filter((line) => line.startsWith('listening on '))
  const shown = `listening on http://localhost:${service.port} docs off data ${scene.dataDir}`
  assert.equal(lines, [shown])
  assert.not.match(service.stdout, 'setup: ', 'there is an administrator')
  assert.match(service.stdout + service.stderr, localLinks)
  const client = new Client(service.url)
  assert.is((await client.get('/readyz')).status, 200, 'it answers after that line')
})

boot('should print a setup link that creates the first administrator, once', async ({ scene }) => {
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

boot('should create the administrator of ADMIN_* once, and never change it', async ({ scene }) => {
  const first = await start(scene, adminEnv)
  assert.match(first.stdout, 'created first administrator')
  await first.stop()

  const second = await start(scene, { ...adminEnv, ADMIN_PASSWORD: 'another password' })
  assert.match(second.stdout, 'ignored ADMIN_EMAIL and ADMIN_PASSWORD')
  const client = await scene.signIn()
  const answer = await client.post('/api/auth/login', { ...admin, password: 'another password' })
  assert.is(answer.status, 401)
  for (const { stdout, stderr } of [first, second])
    assert.not.match(stdout + stderr, admin.password)
})

boot('should read the options again at SIGHUP, if they are right', async ({ scene }) => {
  const options = path.join(scene.dataDir, 'options')
  writeFileSync(options, 'LOG_LEVEL=info\nRATE_LIMIT_LOGIN=1/1h\n')
  const service = await start(scene)
  const client = new Client(service.url)
  const signIn = async () => (await client.post('/api/auth/login', admin)).status
  const reload = async (text: string, said: string) => {
    writeFileSync(options, text)
    service.child.kill('SIGHUP')
    await until('it has read them', () => service.stdout.includes(said))
  }
  assert.equal([await signIn(), await signIn()], [401, 429])
  await reload('RATE_LIMIT_LOGIN=nothing\n', 'kept the options')
  assert.is(await signIn(), 429)
  await reload(
    'RATE_LIMIT_LOGIN=9/1h\nBASE_URL=https://files.example.org\n',
    'read the options again',
  )
  assert.match(service.stdout, '"atRestart":["BASE_URL"]')
  assert.is(await signIn(), 401)
  // The line that says so is below this level, too.
  writeFileSync(options, 'LOG_LEVEL=warn\n')
  service.child.kill('SIGHUP')
  await until('requests are not logged', async () => {
    const { length } = service.stdout
    await signIn()
    return service.stdout.length === length
  })
})

const stop = suite<Context>('cli: serve, stop')
stop.before.each((context) => {
  setScene(context)
  plantSeed(context.scene.dataDir)
})
stop.after.each(clearScene)

/** More than the buffers of the sockets, so that the download waits for its reader. */
const largeBytes = 48 * 1024 * 1024

async function startDownload(scene: Scene): Promise<SlowReader> {
  const sender = await scene.signIn()
  const shareId = await sender.share({ 'large.bin': Buffer.alloc(largeBytes, 'large') })
  const { files } = (await sender.get(`/api/public/shares/${shareId}`)).json()
  const reader = await SlowReader.open(`${sender.url}/api/shares/${shareId}/files/${files[0].id}`)
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

stop('should end at once when nothing runs', async ({ scene }) => {
  const service = await start(scene, adminEnv)
  // An idle keep-alive connection must not hold it up.
  await scene.signIn()
  assert.ok(databaseProcesses(scene.dataDir).length > 0)
  service.child.kill('SIGINT')
  const { code, stderr } = await service.ended()
  assert.equal([code, stderr], [0, ''])
  assert.equal(databaseProcesses(scene.dataDir), [])
})

stop('should let a running download end, and accept no connection meanwhile', async ({ scene }) => {
  const service = await start(scene, adminEnv)
  const reader = await startDownload(scene)
  service.child.kill('SIGTERM')
  await refuses(service)
  assert.is(service.child.exitCode, null, 'it waits for the download')
  assert.is((await reader.readRest()).isComplete, true)
  const { code } = await service.ended()
  assert.is(code, 0)
  assert.equal(databaseProcesses(scene.dataDir), [])
})

stop('should abort running transfers at a second signal', async ({ scene }) => {
  const service = await start(scene, adminEnv)
  const reader = await startDownload(scene)
  service.child.kill('SIGTERM')
  await refuses(service)
  service.child.kill('SIGTERM')
  // It ends although the client has stopped reading.
  const { code } = await service.ended()
  assert.is(code, 0)
  assert.is((await reader.readRest()).isComplete, false)
  assert.equal(databaseProcesses(scene.dataDir), [])
})

stop('should stop while it is still starting', async ({ scene }) => {
  const service = ServiceProcess.launch({ DATA_DIR: scene.dataDir })
  scene.service = service
  const hasDatabase = () => databaseProcesses(scene.dataDir).length > 0
  await until('its database starts', () => hasDatabase() || service.hasEnded)
  service.child.kill('SIGTERM')
  const { code, stderr } = await service.ended()
  assert.is(code, 0, stderr)
  assert.equal(databaseProcesses(scene.dataDir), [])
})
