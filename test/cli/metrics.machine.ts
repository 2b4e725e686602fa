// METRICS_ADDR: the second listener of a running service.
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assignServer } from '../helpers/description.ts'
import { Client } from '../helpers/client.ts'
import { plantSeed } from '../helpers/seed.ts'
import { makeDataDir, removeDataDir, runCommand } from '../helpers/service-process.ts'
import { ServiceProcess } from '../helpers/service-process.ts'

const metrics = suite('cli: METRICS_ADDR')
let dataDir: string

metrics.before.each(() => {
  dataDir = makeDataDir()
  plantSeed(dataDir)
})
metrics.after.each(() => removeDataDir(dataDir))

metrics('should serve only the metrics there, without credentials', async () => {
  const service = await ServiceProcess.start({ DATA_DIR: dataDir, METRICS_ADDR: '127.0.0.1:0' })
  const line = service.stdout.split('\n').find((one) => one.includes('serving metrics'))
  const url = new URL(JSON.parse(line!).url).origin
  assignServer(url, 'other')
  const client = new Client(url)
  const answer = await client.get('/metrics')
  assert.is(answer.status, 200)
  assert.match(answer.body.toString(), /^transfer_database_up 1$/m)
  assert.match(answer.body.toString(), /^process_resident_memory_bytes \d+$/m)
  for (const path of ['/', '/api/admin/status', '/readyz']) {
    assert.is((await client.get(path)).status, 404, path)
  }
  const product = new Client(service.url)
  assert.is((await product.get('/metrics')).status, 401, 'still guarded on the public port')
  assert.is((await service.stop()).code, 0)
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
