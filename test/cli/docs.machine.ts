// The documentation site as a process: beside the service, and alone.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { endOf } from '../helpers/child.ts'
import { Client } from '../helpers/client.ts'
import { assignServer } from '../helpers/description.ts'
import { mainFile } from '../helpers/main-file.ts'
import { ownPort } from '../helpers/own-port.ts'
import { plantSeed } from '../helpers/seed.ts'
import {
  databaseProcesses,
  makeBallast,
  makeDataDir,
  removeDataDir,
  runCommand,
  ServiceProcess,
} from '../helpers/service-process.ts'
import { until } from '../helpers/until.ts'

interface Scene {
  dataDir: string
  env: Record<string, string>
  /** Killed at the end if they still run. */
  stop: (() => Promise<unknown>)[]
}

const docs = suite<Scene>('cli: docs')

docs.before.each(async (scene) => {
  scene.dataDir = makeDataDir()
  scene.env = { DATA_DIR: scene.dataDir, HOST: '127.0.0.1', DOCS_PORT: '0' }
  scene.stop = []
})
docs.after.each(async (scene) => {
  for (const stop of scene.stop) await stop()
  await removeDataDir(scene.dataDir)
})

/** The documentation site of this machine. */
function siteAt(port: string | number): Client {
  const url = `http://127.0.0.1:${port}`
  assignServer(url, 'site')
  return new Client(url)
}

docs('should run alone, without a database and without touching the data', async (scene) => {
  const { PATH = '' } = process.env
  const env = { ...scene.env, PATH, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  const child = spawn(process.execPath, [mainFile, 'docs'], { env, stdio: [...stdio] })
  scene.stop.push(async () => child.kill('SIGKILL'))
  let said = ''
  child.stdout!.setEncoding('utf8').on('data', (text: string) => (said += text))
  const line = /^listening on http:\/\/localhost:(\d+)\n/m
  await until('it listens', () => line.test(said))
  assert.is((await siteAt(line.exec(said)![1]!).get('/api/v1/docs')).status, 200)
  assert.equal(readdirSync(scene.dataDir), [])
  const closed = endOf(child)
  child.kill('SIGTERM')
  assert.is((await closed).code, 0)
})

docs('should run beside the service, at the address in its first line', async (scene) => {
  makeBallast(scene.dataDir)
  plantSeed(scene.dataDir)
  const port = ownPort()
  const env = { ...scene.env, DOCS_PORT: String(port), DOCS_URL: 'https://docs.example.org' }
  const service = await ServiceProcess.start(env)
  scene.stop.push(() => service.clear())
  assert.match(service.stdout, /^listening on \S+ docs https:\/\/docs\.example\.org data \S+$/m)
  const [product, site] = [new Client(service.url), siteAt(port)]
  const own = await product.get('/openapi.json')
  assert.equal(own.json(), (await site.get('/openapi.json')).json())
  assert.is(own.json().servers[0].url, service.url.replace('127.0.0.1', 'localhost'))
  assert.is(own.json().paths['/api/v1/docs'].get.servers[0].url, 'https://docs.example.org')
})

docs('should not start when it is off', async (scene) => {
  const { code, stderr } = await runCommand(['docs'], { ...scene.env, DOCS_PORT: 'off' })
  assert.is(code, 78)
  assert.is(stderr, 'DOCS_PORT is off: set it to a port.\n')
})

docs('should name the taken port and the solution, and stop what had started', async (scene) => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  try {
    const { port } = other.address() as AddressInfo
    makeBallast(scene.dataDir)
    const env = { ...scene.env, PORT: '0', DOCS_PORT: String(port) }
    const wanted =
      `DOCS_PORT ${port} is used by another program: stop it, ` +
      'or set DOCS_PORT to a free one, or to off.\n'
    const { code, stdout, stderr } = await runCommand(['serve'], env)
    assert.is(code, 1)
    assert.ok(stderr.endsWith(wanted), stderr)
    assert.not.match(stdout, 'listening on')
    assert.equal(databaseProcesses(scene.dataDir), [])
  } finally {
    other.close()
    await once(other, 'close')
  }
})
