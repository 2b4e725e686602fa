// One service at a time on a storage root, with any database.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failureOf, until } from '../helpers/until.ts'
import { createLog } from '../../src/lib/log.ts'
import { randomRowId } from '../../src/lib/random-id.ts'
import { findStorageHolder, lockStorage, StorageInUse } from '../../src/bytes/storage-lock.ts'
import { makeFolder } from '../helpers/folder.ts'

const locks = suite('storage: lock')
let folder: string
const logLines: string[] = []
const log = createLog({ level: 'info', write: (line) => logLines.push(line) })

locks.before.each(() => {
  folder = makeFolder()
})
locks.after.each(() => assert.equal(logLines, []))

const lock = (processId = randomRowId()) => lockStorage(folder, processId, log)

const inUse = (name: string) => name.startsWith('in-use')

locks('should refuse a second service, name the first, and admit it later', async () => {
  const processId = randomRowId()
  const first = await lock(processId)
  const failure = await failureOf(lock())
  assert.instance(failure, StorageInUse)
  const by = `(${folder}) is in use by pid ${process.pid} on ${hostname()}`
  assert.match((failure as Error).message, by)
  const holder = { processId, pid: process.pid, host: hostname() }
  assert.equal(await findStorageHolder(folder), holder)
  assert.is(readdirSync(folder).filter(inUse).length, 1)
  await first.close()
  assert.is(await findStorageHolder(folder), null)
  assert.equal(readdirSync(folder), [])
  await (await lock()).close()
})

locks('should admit one of many that start at once, over a dead lock too', async () => {
  for (let round = 0; round < 20; round += 1) {
    if (round % 2 === 1) await leaveDeadLock(folder)
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => lock()))
    const won = outcomes.filter((outcome) => outcome.status === 'fulfilled')
    assert.is(won.length, 1)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') assert.instance(outcome.reason, StorageInUse)
    }
    assert.is(readdirSync(folder).filter(inUse).length, 1)
    await won[0]!.value.close()
  }
})

locks('should not treat another file as a lock', async () => {
  writeFileSync(path.join(folder, 'in-use.sock'), 'a copy')
  await (await lock()).close()
})

locks('should work in a folder whose name is too long for a socket', async () => {
  folder = path.join(folder, 'x'.repeat(120))
  mkdirSync(folder)
  const first = await lock()
  assert.instance(await failureOf(lock()), StorageInUse)
  await first.close()
  assert.equal(readdirSync(folder), [])
})

async function leaveDeadLock(folder: string): Promise<void> {
  const file = path.join(folder, 'in-use.sock')
  const code = `require('node:net').createServer().listen(${JSON.stringify(file)})`
  const child = spawn(process.execPath, ['-e', code], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  await until('the lock is there', () => readdirSync(folder).includes('in-use.sock'))
  child.kill('SIGKILL')
  await ended
}
