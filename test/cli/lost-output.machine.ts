// Output of the service or a command whose reader is gone, or whose disk is full.
import { spawn, type ChildProcess, execFileSync } from 'node:child_process'
import { closeSync, constants, mkdirSync, openSync, readSync } from 'node:fs'
import path from 'node:path'
import { request } from 'undici'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../helpers/until.ts'
import { isSystemError } from '../../src/lib/errors.ts'
import { randomRowId } from '../../src/lib/random-id.ts'
import { containerFolder } from '../../src/bytes/segments/files-on-disk.ts'
import { endOf } from '../helpers/child.ts'
import { randomContent } from '../helpers/client.ts'
import { mainFile } from '../helpers/main-file.ts'
import { ownPort } from '../helpers/own-port.ts'
import { databaseProcesses, listenTo, tryToSignal } from '../helpers/service-process.ts'
import { Scene } from './scene.ts'

interface Context {
  scene: Scene
  /** Killed at the end if they still run. */
  children: ChildProcess[]
}

const lost = suite<Context>('cli: lost output')

lost.before.each((context) => {
  context.scene = new Scene()
  context.children = []
})
lost.after.each(async ({ scene, children }) => {
  for (const child of children) {
    if (child.exitCode === null && child.signalCode === null) tryToSignal(child.pid!, 'SIGKILL')
  }
  await scene.clear()
})

/** Starts `transfer` with its standard output at the descriptor; stderr is inherited. */
function start(
  { scene, children }: Context,
  args: readonly string[],
  output: number | 'pipe',
  env: Record<string, string> = {},
): ChildProcess {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [mainFile, ...args], {
    env: { PATH, ...scene.env, ...env },
    stdio: ['ignore', output, 'pipe'],
  })
  children.push(child)
  return child
}

async function statusOf(port: number, name: string): Promise<number | null> {
  try {
    const { statusCode, body } = await request(`http://127.0.0.1:${port}${name}`)
    await body.dump()
    return statusCode
  } catch (error) {
    if (isSystemError(error, 'ECONNREFUSED')) return null
    throw error
  }
}

const isReady = async (port: number) => (await statusOf(port, '/readyz')) === 200

/** Listens at a port of its own, because it may not be able to say which one it got. */
async function serveOn(context: Context, output: number) {
  const port = ownPort()
  const child = start(context, ['serve'], output, { PORT: String(port), DOCS_PORT: 'off' })
  await until('it serves', async () => child.exitCode !== null || isReady(port))
  return { child, port }
}

async function requireCleanStop({ scene }: Context, child: ChildProcess): Promise<void> {
  const closed = endOf(child)
  child.kill('SIGTERM')
  assert.equal(await closed, { code: 0, signal: null })
  assert.equal(databaseProcesses(scene.dataDir), [])
}

lost('should keep serving when the disk of the log is full', async (context) => {
  const full = openSync('/dev/full', 'w')
  const { child, port } = await serveOn(context, full)
  closeSync(full)
  for (let n = 0; n < 5; n += 1) assert.ok(await isReady(port))
  await requireCleanStop(context, child)
})

/** Everything in a pipe now. */
function drain(fd: number): string {
  const data = Buffer.alloc(1024 * 1024)
  let text = ''
  try {
    for (;;) {
      const count = readSync(fd, data)
      if (count === 0) return text
      text += data.toString('utf8', 0, count)
    }
  } catch (error) {
    if (!isSystemError(error, 'EAGAIN')) throw error
    return text
  }
}

lost('should keep serving when the reader of the log goes, and tell the next', async (context) => {
  const fifo = path.join(context.scene.dataDir, 'log')
  execFileSync('mkfifo', [fifo])
  const openReader = () => openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK)
  const first = openReader()
  const writer = openSync(fifo, 'w')
  const { child, port } = await serveOn(context, writer)
  closeSync(writer)
  let before = ''
  await until('it has reported that', () => (before += drain(first)).includes('listening on '))
  closeSync(first)
  for (let n = 0; n < 3; n += 1) {
    assert.is(await statusOf(port, '/api/shares'), 401)
  }
  const second = openReader()
  let said = ''
  await until('the log continues', async () => {
    assert.ok(await isReady(port))
    await statusOf(port, '/api/shares')
    said += drain(second)
    return said.includes('\n')
  })
  const [notice = ''] = said.split('\n')
  const { level, message, lines } = JSON.parse(notice)
  assert.equal([level, message], ['warn', 'dropped unwritable log lines'])
  // The line of the last request may come after its answer, when there is a reader again.
  assert.ok(lines >= 2, notice)
  await requireCleanStop(context, child)
  assert.is((said + drain(second)).match(/dropped unwritable log lines/g)?.length, 1)
  closeSync(second)
})

lost('should end a command quietly when its reader has gone', async (context) => {
  const { scene } = context
  await (await scene.startService()).stop()
  // Findings enough for a line each.
  for (let n = 0; n < 3; n += 1) {
    const folder = containerFolder(path.join(scene.dataDir, 'storage'), randomRowId())
    mkdirSync(folder, { recursive: true })
  }
  for (const args of [['verify'], ['users', 'list', '--json']]) {
    const child = start(context, args, 'pipe')
    child.stdout!.destroy()
    const said = listenTo(child)
    assert.equal(await endOf(child), { code: 1, signal: null }, args.join(' '))
    assert.is(said.stderr, '')
    assert.equal(databaseProcesses(scene.dataDir), [])
  }
})

lost('should report that the answer of a command could not be written', async (context) => {
  const { scene } = context
  await (await scene.startService()).stop()
  const full = openSync('/dev/full', 'w')
  for (const args of [['users', 'list'], ['help']]) {
    const child = start(context, args, full)
    const said = listenTo(child)
    assert.equal(await endOf(child), { code: 1, signal: null }, args.join(' '))
    assert.match(said.stderr, /^standard output cannot be written: ENOSPC[^\n]*\n$/)
    assert.equal(databaseProcesses(scene.dataDir), [])
  }
  closeSync(full)
})

lost('should end a backup at a signal while its reader has paused', async (context) => {
  const { scene } = context
  await scene.startService()
  await (await scene.signIn()).share({ file: randomContent(3_000_000, 'paused') })
  await scene.service!.stop()
  const fifo = path.join(scene.dataDir, 'pipe')
  execFileSync('mkfifo', [fifo])
  const reader = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK)
  const writer = openSync(fifo, 'w')
  const child = start(context, ['backup', '-'], writer)
  closeSync(writer)
  const said = listenTo(child)
  await until('it copies a segment', () => drain(reader).includes('storage/'))
  const closed = endOf(child)
  child.kill('SIGTERM')
  assert.equal(await closed, { code: 1, signal: null })
  assert.is(said.stderr, 'stopped by SIGTERM: the backup is not complete\n')
  assert.equal(databaseProcesses(scene.dataDir), [])
  closeSync(reader)
})
