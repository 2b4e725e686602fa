// What systemd leaves in the environment. test/operations/scenes.sh has a real one.
import { spawnSync, type StdioOptions } from 'node:child_process'
import { fstatSync, openSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findManager, takeInheritedSockets } from '../../src/cli/systemd.ts'
import { makeFolder } from '../helpers/folder.ts'
import { mainFile } from '../helpers/main-file.ts'

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
  const folder = makeFolder()
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
})

environment('should say once that systemd waits for messages it cannot have', () => {
  const said: string[] = []
  const manager = findManager({ NOTIFY_SOCKET: '/run/x' }, (error) => said.push(error.message))
  manager.tell('READY=1')
  manager.tell('STOPPING=1')
  assert.is(said.length, 1)
  assert.match(said[0]!, 'NOTIFY_FD is not set')
})
