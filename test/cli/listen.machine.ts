// Where the service listens: Unix sockets, and addresses as people write them.
import { spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { mainFile } from '../helpers/main-file.ts'
import { endOf } from '../helpers/child.ts'
import { plantSeed } from '../helpers/seed.ts'
import {
  makeDataDir,
  removeDataDir,
  runCommand,
  ServiceProcess,
} from '../helpers/service-process.ts'
import { until } from '../helpers/until.ts'

interface Scene {
  dataDir: string
  socket: string
}

const places = suite<Scene>('cli: places to listen')

places.before.each(async (scene) => {
  scene.dataDir = makeDataDir()
  scene.socket = path.join(scene.dataDir, 'http.sock')
  plantSeed(scene.dataDir)
})
places.after.each(({ dataDir }) => removeDataDir(dataDir))

function ask(socket: string, ...more: string[]): string {
  const args = ['-sS', '-m', '20', '--unix-socket', socket, 'http://x/readyz', ...more]
  return spawnSync('curl', args, { encoding: 'utf8' }).stdout
}

places('should serve a Unix socket, and believe the proxy behind it', async (scene) => {
  const service = await ServiceProcess.start({
    DATA_DIR: scene.dataDir,
    HOST: `unix:${scene.socket}`,
  })
  try {
    assert.is(statSync(scene.socket).mode & 0o777, 0o660)
    assert.match(ask(scene.socket), '"status":"ok"')
    // Successful probes are not logged.
    const from = ['-H', 'X-Forwarded-For: 192.0.2.7', 'http://x/api/limits']
    ask(scene.socket, ...from)
    await until('it is logged', () => service.stdout.includes('"ip":"192.0.2.7"'))
    const second = await runCommand(['serve'], {
      DATA_DIR: path.join(scene.dataDir, 'other'),
      HOST: `unix:${scene.socket}`,
      DOCS_PORT: 'off',
    })
    assert.is(second.code, 1)
    assert.match(second.stderr, `another program listens at ${scene.socket}: stop it first.`)
    assert.match(ask(scene.socket), '"status":"ok"')
  } finally {
    await service.clear()
    await removeDataDir(path.join(scene.dataDir, 'other'))
  }
})

places('should replace the socket of a killed service, and nothing else', async (scene) => {
  const left = createServer().listen(scene.socket)
  await once(left, 'listening')
  // Node removes the file of a closed server: a second name stays, as after a kill.
  const stays = path.join(scene.dataDir, 'stays.sock')
  spawnSync('ln', [scene.socket, stays])
  left.close()
  await once(left, 'close')
  assert.is(existsSync(stays), true)
  const service = await ServiceProcess.start({ DATA_DIR: scene.dataDir, HOST: `unix:${stays}` })
  assert.match(ask(stays), '"status":"ok"')
  await service.clear()

  const file = path.join(scene.dataDir, 'file')
  writeFileSync(file, 'kept')
  const env = { DATA_DIR: scene.dataDir, DOCS_PORT: 'off' }
  const refused = await runCommand(['serve'], { ...env, HOST: `unix:${file}` })
  assert.is(refused.code, 78)
  assert.match(refused.stderr, `${file} is a file, not a socket.`)
  const missing = await runCommand(['serve'], { ...env, HOST: 'unix:/run/missing/http.sock' })
  assert.is(missing.code, 78)
  assert.match(missing.stderr, 'its folder is missing')
})

const textOf = (url: string) =>
  fetch(url).then(
    (answer) => answer.text(),
    () => '',
  )

places('should listen on any free port with PORT=0, and name it', async (scene) => {
  const service = await ServiceProcess.start({ DATA_DIR: scene.dataDir, PORT: '0', DOCS_PORT: '' })
  try {
    const line =
      /^listening on (http:\/\/localhost:(\d+)) docs (http:\/\/localhost:(\d+)) data \S+$/m
    const { url } = service
    const [, base, port, docs, docsPort] = line.exec(service.stdout) ?? []
    assert.ok(Number(port) > 0 && Number(docsPort) > 0 && port !== docsPort, service.stdout)
    assert.match(service.stdout, `setup: ${base}/setup#token=`)
    await until('it is ready', async () => (await textOf(`${url}/readyz`)).includes('ok'))
    const described = await textOf(`http://127.0.0.1:${docsPort}/openapi.json`)
    assert.is(JSON.parse(described).servers[0].url, base)
    assert.match(described, `"${docs}"`)
    service.child.kill('SIGHUP')
    await until('it has read the options', () => service.stdout.includes('read the options again'))
    assert.not.match(service.stdout, 'atRestart')
    assert.is((await service.stop()).code, 0)
  } finally {
    await service.clear()
  }
})

places('should say one sentence to a number without a user, with a home and without', async (c) => {
  if (process.getuid?.() !== 0) return
  const uid = 54_321
  chownSync(c.dataDir, uid, uid)
  const said = async (env: Record<string, string>): Promise<string> => {
    const options = { uid, gid: uid, env: { PATH: process.env['PATH'] ?? '', ...env } }
    const child = spawn(process.execPath, [mainFile, 'serve'], options)
    let text = ''
    child.stderr.setEncoding('utf8').on('data', (more: string) => (text += more))
    await endOf(child)
    return text
  }
  assert.is(
    await said({}),
    'the configuration is not valid:\n' +
      '  DATA_DIR: must be set, because this user has no home directory\n',
  )
  const nameless = 'needs a user with a name, and uid 54321 has none'
  assert.match(await said({ DATA_DIR: path.join(c.dataDir, 'new'), PORT: '0' }), nameless)
})
