// METRICS_ADDR: the second listener of a running service.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assignServer } from '../helpers/description.ts'
import { Client } from '../helpers/client.ts'
import { plantSeed } from '../helpers/seed.ts'
import { makeDataDir, removeDataDir, runCommand } from '../helpers/service-process.ts'
import { ServiceProcess } from '../helpers/service-process.ts'

const metrics = suite('cli: METRICS_ADDR')
let dataDir: string
let services: ServiceProcess[]

metrics.before.each(async () => {
  dataDir = makeDataDir()
  plantSeed(dataDir)
  services = []
})
metrics.after.each(async () => {
  for (const service of services) await service.clear()
  await removeDataDir(dataDir)
})

async function start(METRICS_ADDR: string): Promise<{ service: ServiceProcess; url: string }> {
  const service = await ServiceProcess.start({ DATA_DIR: dataDir, METRICS_ADDR })
  services.push(service)
  const line = service.stdout.split('\n').find((one) => one.includes('serving metrics'))
  return { service, url: line ? new URL(JSON.parse(line).url).origin : '' }
}

metrics('should serve only the metrics there, without credentials', async () => {
  const { service, url } = await start('127.0.0.1:0')
  assignServer(url, 'other')
  const client = new Client(url)
  const answer = await client.get('/metrics')
  assert.is(answer.status, 200)
  assert.match(answer.body.toString(), /^transfer_database_up 1$/m)
  assert.match(answer.body.toString(), /^process_resident_memory_bytes \d+$/m)
  assert.match(String(answer.headers['x-request-id']), /^[\w-]{12}$/)
  assert.is((await client.call('HEAD', '/metrics')).status, 200)
  for (const path of ['/', '/metrics/x', '/api/admin/status', '/readyz', '/login', '/s/x']) {
    assert.is((await client.get(path)).status, 404, path)
  }
  for (const method of ['POST', 'PUT', 'DELETE']) {
    assert.is((await client.call(method, '/metrics')).status, 405, method)
  }
  const product = new Client(service.url)
  assert.is((await product.get('/metrics')).status, 401, 'still guarded on the public port')
  const withoutProbes = service.stdout.split('\n').filter((line) => line.includes('"/metrics"'))
  for (const line of withoutProbes) assert.not.match(line, '"status":200')
  assert.is((await service.stop()).code, 0)
})

metrics('should listen on no other address', async () => {
  const { url } = await start('127.0.0.1:0')
  const port = Number(new URL(url).port)
  const others = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ address, internal }) => !internal && !address.startsWith('fe80'))
  for (const { address } of [{ address: '127.0.0.2' }, { address: '::1' }, ...others]) {
    const socket = connect({ host: address, port })
    const [how] = await Promise.race([
      once(socket, 'connect').then(() => ['connected']),
      once(socket, 'close').then(() => ['refused']),
    ]).catch(() => ['refused'])
    socket.destroy()
    assert.is(how, 'refused', address)
  }
})

metrics('should be off by default', async () => {
  const service = await ServiceProcess.start({ DATA_DIR: dataDir })
  services.push(service)
  assert.not.match(service.stdout, 'serving metrics')
})

metrics('should name the option when it cannot listen', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const command = (METRICS_ADDR: string) =>
    runCommand(['serve'], { DATA_DIR: dataDir, PORT: '0', METRICS_ADDR })
  try {
    const taken = await command(`127.0.0.1:${port}`)
    assert.is(taken.code, 1)
    assert.match(taken.stderr, `METRICS_ADDR: port ${port} is used by another program`)
    const foreign = await command('192.0.2.1:0')
    assert.is(foreign.code, 1)
    assert.match(foreign.stderr, 'METRICS_ADDR: 192.0.2.1 is not an address of this machine.')
  } finally {
    other.close()
  }
})
