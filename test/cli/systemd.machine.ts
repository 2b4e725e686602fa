// The service as systemd runs it: sockets, readiness, watchdog, reload and the journal.
import { spawn, spawnSync, type ChildProcess, type StdioOptions } from 'node:child_process'
import { fstatSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findManager, takeInheritedSockets } from '../../src/cli/systemd.ts'
import { packageRoot } from '../../src/lib/package-root.ts'
import { plantSeed } from '../helpers/seed.ts'
import { endOf } from '../helpers/child.ts'
import { mainFile } from '../helpers/main-file.ts'
import { databaseProcesses, makeDataDir, removeDataDir } from '../helpers/service-process.ts'
import { until } from '../helpers/until.ts'

const environment = suite('systemd: the environment')

const passed: [env: Record<string, string>, main: number[], docs: number[]][] = [
  [{}, [], []],
  [{ LISTEN_PID: '7', LISTEN_FDS: '1' }, [3], []],
  [{ LISTEN_PID: '8', LISTEN_FDS: '1' }, [], []],
  [{ LISTEN_PID: '7', LISTEN_FDS: 'x' }, [], []],
  [{ LISTEN_PID: '7', LISTEN_FDS: '3', LISTEN_FDNAMES: 'main:docs:main' }, [3, 5], [4]],
]

for (const [env, main, docs] of passed) {
  environment(`should take the sockets of ${JSON.stringify(env)}`, () => {
    const own = { ...env, PATH: '/bin' }
    assert.equal(takeInheritedSockets(own, 7), { main, docs })
    assert.equal(own, { PATH: '/bin' } as never, 'children do not take them')
  })
}

environment('should give the reason of a failed start to the journal as an error', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'transfer-test-journal-'))
  const file = path.join(folder, 'journal')
  const fd = openSync(file, 'w')
  const { dev, ino } = fstatSync(fd)
  const env = { ...process.env, DATA_DIR: path.join(folder, 'data'), PORT: 'x' }
  const start = (JOURNAL_STREAM: string) => {
    const stdio: StdioOptions = ['ignore', 'ignore', fd]
    const options = { env: { ...env, JOURNAL_STREAM }, stdio }
    assert.is(spawnSync(process.execPath, [mainFile, 'serve'], options).status, 78)
  }
  start(`${dev}:${ino}`)
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  assert.ok(lines.length >= 2)
  assert.ok(
    lines.every((line) => line.startsWith('<3>')),
    lines.join('\n'),
  )
  start('')
  assert.ok(readFileSync(file, 'utf8').split('\n')[lines.length]!.startsWith('the configuration'))
  rmSync(folder, { recursive: true })
})

environment('should say once that systemd waits for messages it cannot have', () => {
  const said: string[] = []
  const manager = findManager({ NOTIFY_SOCKET: '/run/x' }, (error) => said.push(error.message))
  manager.tell('READY=1')
  manager.tell('STOPPING=1')
  assert.is(said.length, 1)
  assert.match(said[0]!, 'NOTIFY_FD is not set')
})

/** systemd's part: opens a port, takes messages, starts the command line of the unit. */
const manager = `
import json, os, socket, sys
folder, command = sys.argv[1], json.loads(sys.argv[2])
messages = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
messages.bind(folder + '/notify')
port = socket.create_server(('127.0.0.1', 0))
print('port', port.getsockname()[1], flush=True)
pid = os.fork()
if pid == 0:
    os.dup2(port.fileno(), 3, inheritable=True)
    os.environ.update(NOTIFY_SOCKET=folder + '/notify', LISTEN_PID=str(os.getpid()), LISTEN_FDS='1')
    os.execvp(command[0], command)
print('pid', pid, flush=True)
import threading
def hear():
    while True:
        print('told', json.dumps(messages.recv(4096).decode()), flush=True)
threading.Thread(target=hear, daemon=True).start()
print('ended', os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
`

interface Scene {
  dataDir: string
  folder: string
  said: string
  child: ChildProcess | null
}

const running = suite<Scene>('systemd: the running service')

running.before.each(async (scene) => {
  scene.dataDir = makeDataDir()
  scene.folder = mkdtempSync(path.join(tmpdir(), 'transfer-test-systemd-'))
  scene.said = ''
  scene.child = null
  plantSeed(scene.dataDir)
})
running.after.each(async (scene) => {
  const pid = pidOf(scene)
  if (pid !== null && !/^ended/m.test(scene.said)) process.kill(pid, 'SIGKILL')
  if (scene.child) await endOf(scene.child)
  await removeDataDir(scene.dataDir)
  rmSync(scene.folder, { recursive: true, force: true })
})

function pidOf({ said }: Scene): number | null {
  return Number(/^pid (\d+)/m.exec(said)?.[1]) || null
}

/** The ExecStart of the unit, with this program in place of the installed one. */
function commandOfUnit(): string[] {
  const unit = readFileSync(path.join(packageRoot, 'static/systemd/transfer.service'), 'utf8')
  const [, line = ''] = /^ExecStart=((?:.*\\\n)*.*)$/m.exec(unit) ?? []
  const [, script = ''] = /-e \\\n\s*'([^']*)'/.exec(line) ?? []
  const perl = script.replaceAll('$$', '$').replaceAll('\\\n', '')
  assert.match(line, /transfer serve --config \/etc\/transfer-service\/options$/)
  return ['perl', '-MSocket', '-MFcntl', '-e', perl, process.execPath, mainFile, 'serve']
}

function start(scene: Scene, env: Record<string, string> = {}): void {
  const args = ['-c', manager, scene.folder, JSON.stringify(commandOfUnit())]
  const { PATH = '' } = process.env
  scene.child = spawn('python3', args, {
    env: { PATH, DATA_DIR: scene.dataDir, DOCS_PORT: 'off', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  scene.child.stdout!.setEncoding('utf8').on('data', (text: string) => (scene.said += text))
}

const tells = (scene: Scene, assignment: string) => () =>
  scene.said.split('\n').some((line) => line.startsWith('told') && line.includes(assignment))

running('should serve the passed socket, and tell when it is ready and stops', async (scene) => {
  start(scene)
  await until('it is ready', tells(scene, 'READY=1\\nSTATUS=Serving; uploads: 0, downloads: 0'))
  const port = /^port (\d+)/m.exec(scene.said)![1]
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`)
  assert.is(answer.status, 200)
  process.kill(pidOf(scene)!, 'SIGTERM')
  await until('it stops', tells(scene, 'STOPPING=1\\nSTATUS=Stopping'))
  await until('it ends', () => /^ended 0$/m.test(scene.said))
})

running('should feed the watchdog, but not while the database is silent', async (scene) => {
  start(scene, { WATCHDOG_USEC: '3000000' })
  await until('it is ready', tells(scene, 'READY=1'))
  await until('it feeds it', tells(scene, 'WATCHDOG=1'))
  const database = `the database of ${scene.dataDir}`
  const stopped = databaseProcesses(scene.dataDir)
  assert.ok(stopped.length > 0)
  for (const pid of stopped) process.kill(pid, 'SIGSTOP')
  try {
    await until('it shows that', tells(scene, `STATUS=${database} does not answer`))
  } finally {
    for (const pid of stopped.toReversed()) process.kill(pid, 'SIGCONT')
  }
  const { length } = scene.said
  await until('it serves again', () => scene.said.includes('STATUS=Serving', length))
  const silent = scene.said.slice(scene.said.indexOf('does not answer'), length)
  assert.not.match(silent, 'WATCHDOG=1')
  assert.is(scene.said.split('requests are refused').length, 2, 'the log says it once')
  assert.is(scene.said.split(`${database} answers again`).length, 2)
})

running('should read the options again at SIGHUP, if they are right', async (scene) => {
  const options = path.join(scene.dataDir, 'options')
  writeFileSync(options, 'LOG_LEVEL=info\nRATE_LIMIT_LOGIN=1/1h\n')
  start(scene)
  await until('it is ready', tells(scene, 'READY=1'))
  const port = /^port (\d+)/m.exec(scene.said)![1]
  const signIn = () =>
    fetch(`http://127.0.0.1:${port}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'nobody@example.org', password: 'wrong password' }),
    })
  assert.is((await signIn()).status, 401)
  assert.is((await signIn()).status, 429)
  const pid = pidOf(scene)!
  writeFileSync(options, 'RATE_LIMIT_LOGIN=nothing\n')
  process.kill(pid, 'SIGHUP')
  await until('it refuses them', () => scene.said.includes('kept the options'))
  assert.is((await signIn()).status, 429)
  writeFileSync(options, 'RATE_LIMIT_LOGIN=9/1h\nBASE_URL=https://files.example.org\n')
  process.kill(pid, 'SIGHUP')
  await until('it reads them', () => scene.said.includes('read the options again'))
  assert.match(scene.said, '"atRestart":["BASE_URL"]')
  assert.is((await signIn()).status, 401)
  writeFileSync(options, 'RATE_LIMIT_LOGIN=9/1h\nLOG_LEVEL=warn\n')
  const before = scene.said.length
  process.kill(pid, 'SIGHUP')
  await signIn()
  await until('requests are not logged', async () => {
    const length = scene.said.length
    await signIn()
    return scene.said.length === length
  })
  assert.ok(scene.said.length >= before)
})
