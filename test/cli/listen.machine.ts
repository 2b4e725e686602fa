// Where the service listens: ports, and the listeners of documentation and metrics.
import { spawn } from 'node:child_process'
import { chownSync, readdirSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../helpers/until.ts'
import { endOf } from '../helpers/child.ts'
import { Client } from '../helpers/client.ts'
import { assignServer, type Server } from '../helpers/description.ts'
import { mainFile } from '../helpers/main-file.ts'
import { ownPort } from '../helpers/own-port.ts'
import { databaseProcesses, listenTo, runCommand } from '../helpers/service-process.ts'
import { ServiceProcess, spawnCommand, type Environment } from '../helpers/service-process.ts'
import { Scene } from './scene.ts'

const places = suite<{ scene: Scene }>('cli: places to listen')

places.before.each((context) => {
  context.scene = new Scene()
})
places.after.each(({ scene }) => scene.clear())

function clientOf(url: string, server: Server): Client {
  assignServer(url, server)
  return new Client(url)
}

places('should listen on any free port with PORT=0, and name it', async ({ scene }) => {
  const service = await ServiceProcess.start({ ...scene.env, BASE_URL: '', DOCS_PORT: '' })
  scene.service = service
  const line = /^listening on (http:\/\/localhost:(\d+)) docs (http:\/\/localhost:(\d+)) data \S+$/m
  const [, base, port, docs, docsPort] = line.exec(service.stdout) ?? []
  assert.ok(Number(port) > 0 && Number(docsPort) > 0 && port !== docsPort, service.stdout)
  assert.match(service.stdout, `setup: ${base}/setup#token=`)
  assert.is((await scene.client().get('/readyz')).status, 200)
  const site = clientOf(`http://127.0.0.1:${docsPort}`, 'site')
  const described = await site.get('/openapi.json')
  assert.is(described.json().servers[0].url, base)
  assert.match(described.body.toString(), `"${docs}"`)
  service.child.kill('SIGHUP')
  await until('it has read the options', () => service.stdout.includes('read the options again'))
  assert.not.match(service.stdout, 'atRestart')
})

places('should serve the documentation beside the service, at its address', async ({ scene }) => {
  const port = ownPort()
  const DOCS_URL = 'https://docs.example.org'
  const service = await scene.startService({ DOCS_PORT: String(port), DOCS_URL })
  assert.match(service.stdout, ` docs ${DOCS_URL} data `)
  const own = await scene.client().get('/openapi.json')
  const site = clientOf(`http://127.0.0.1:${port}`, 'site')
  assert.equal(own.json(), (await site.get('/openapi.json')).json())
  assert.is(own.json().servers[0].url, 'http://transfer.test')
  assert.is(own.json().paths['/api/v1/docs'].get.servers[0].url, DOCS_URL)
})

places('should serve the documentation alone, without touching the data', async ({ scene }) => {
  const before = readdirSync(scene.dataDir, { recursive: true })
  const DATABASE_URL = 'postgres://nobody@127.0.0.1:1/none'
  const DOCS_URL = 'https://docs.example.org'
  const env = { ...scene.env, HOST: '127.0.0.1', DOCS_PORT: '0', DOCS_URL, DATABASE_URL }
  const child = spawnCommand(['docs'], env)
  const closed = endOf(child)
  const said = listenTo(child)
  const line = /^listening on https:\/\/docs\.example\.org port (\d+)\n/m
  try {
    await until('it listens', () => line.test(said.stdout))
    const site = clientOf(`http://127.0.0.1:${line.exec(said.stdout)![1]}`, 'site')
    assert.is((await site.get('/api/v1/docs')).status, 200)
  } finally {
    child.kill('SIGTERM')
  }
  assert.is((await closed).code, 0)
  assert.equal(readdirSync(scene.dataDir, { recursive: true }), before)
  const off = await runCommand(['docs'], { ...env, DOCS_PORT: 'off' })
  assert.equal([off.code, off.stderr], [78, 'DOCS_PORT is off: set it to a port.\n'])
})

places('should serve only the metrics at METRICS_ADDR, without credentials', async ({ scene }) => {
  const service = await scene.startService({ METRICS_ADDR: '127.0.0.1:0' })
  const line = service.stdout.split('\n').find((one) => one.includes('serving metrics'))
  const client = clientOf(new URL(JSON.parse(line!).url).origin, 'other')
  const { status, body } = await client.get('/metrics')
  assert.is(status, 200)
  for (const name of ['transfer_database_up 1', 'process_resident_memory_bytes \\d+']) {
    assert.match(body.toString(), new RegExp(`^${name}$`, 'm'))
  }
  for (const path of ['/', '/api/admin/status', '/readyz']) {
    assert.is((await client.get(path)).status, 404, path)
  }
  assert.is((await scene.client().get('/metrics')).status, 401, 'guarded on the public port')
})

places('should name what cannot be listened at, and stop what has started', async ({ scene }) => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const taken = `${port} is used by another program: stop it, or set`
  const tries: readonly (readonly [env: Environment, said: string])[] = [
    [{ PORT: String(port) }, `PORT ${taken} PORT to a free one.\n`],
    [{ DOCS_PORT: String(port) }, `DOCS_PORT ${taken} DOCS_PORT to a free one, or to off.\n`],
    [{ METRICS_ADDR: `127.0.0.1:${port}` }, `METRICS_ADDR: port ${port} is used by another`],
    [{ HOST: '192.0.2.1' }, 'HOST 192.0.2.1 is not an address of this machine.\n'],
    [{ METRICS_ADDR: '192.0.2.1:0' }, 'METRICS_ADDR: 192.0.2.1 is not an address of this'],
  ]
  try {
    for (const [env, said] of tries) {
      const whole = { ...scene.env, HOST: '127.0.0.1', PORT: '0', DOCS_PORT: 'off', ...env }
      const { code, stdout, stderr } = await runCommand(['serve'], whole)
      assert.is(code, 1)
      assert.match(stderr, said)
      assert.not.match(stdout, 'listening on')
      assert.equal(databaseProcesses(scene.dataDir), [])
    }
  } finally {
    other.close()
  }
})

places('should say one sentence to a user without a name, or without a home', async ({ scene }) => {
  if (process.getuid?.() !== 0) return
  const uid = 54_321
  chownSync(scene.dataDir, uid, uid)
  const said = async (env: Record<string, string>): Promise<string> => {
    const options = { uid, gid: uid, env: { PATH: process.env['PATH'] ?? '', ...env } }
    const child = spawn(process.execPath, [mainFile, 'serve'], options)
    const text = listenTo(child)
    await endOf(child)
    return text.stderr
  }
  const homeless = '  DATA_DIR: must be set, because this user has no home directory\n'
  assert.is(await said({}), `the configuration is not valid:\n${homeless}`)
  const nameless = 'needs a user with a name, and uid 54321 has none'
  assert.match(await said({ DATA_DIR: path.join(scene.dataDir, 'new'), PORT: '0' }), nameless)
})
