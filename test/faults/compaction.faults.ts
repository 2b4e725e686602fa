// kill -9 before and after every step of compaction: no byte is lost, nothing is wrongly reported,
// and the next process finishes it.
import { spawn } from 'node:child_process'
import { utimesSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startUnlimited } from '../blobs/send/scene.ts'
import { endOf } from '../helpers/child.ts'
import type { Client } from '../helpers/client.ts'
import { randomContent } from '../helpers/content.ts'
import { assertInvariants, settleService } from '../helpers/invariants.ts'
import type { Service } from '../helpers/service.ts'
import { bytesBelow } from '../helpers/traces.ts'
import { sharedSocketDir } from '../helpers/postgres.ts'
import { bytesOf, look, remove } from '../shares/additions/scene.ts'
import { compactFully, graceMs } from '../shares/compaction/scene.ts'
import { segmentSizes } from './power/traces.ts'

const kills = suite('kill -9 of a compaction')
const script = fileURLToPath(new URL('compaction-process.js', import.meta.url))
const stepsMax = 200
/** Every step, or one in so many. */
const stride = 5 - 4
let service: Service
let owner: Client

kills.before(async () => {
  service = await startUnlimited()
  owner = await service.admin()
})
kills.after(async () => {
  await owner.close()
  await service.stop()
})

/** Compacts in a process that is killed at this step; true when it finished. */
async function compactUntil(killAt: number): Promise<boolean> {
  const [row] = await service.database.sql<{ name: string; role: string }[]>`
    select current_database() as name, current_user as role`
  const { name: database, role: user } = row!
  const socketDir = await sharedSocketDir()
  const { storageDir } = service
  const task = JSON.stringify({ socketDir, user, database, storageDir, killAt })
  const child = spawn(process.execPath, [script, task], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  const { code, signal } = await endOf(child)
  if (signal === 'SIGKILL') return false
  assert.is(code, 0, output)
  assert.ok(JSON.parse(output).steps < killAt)
  return true
}

const kept = { a: randomContent(150_000, 'a'), b: randomContent(90_000, 'b'), empty: '' }

/** A share in segments without other files, most of whose bytes were removed. */
async function shrunk(): Promise<string> {
  const shareId = await owner.share({ gone: randomContent(600_000, 'gone'), ...kept })
  const { files } = await look(service, owner, shareId)
  await remove(owner, shareId, files[0]!.id)
  service.clock.advance(61_000)
  await service.app.storage.writers.closeIdle()
  return shareId
}

/** Bytes that a killed process leaves after committed ends are kept for a week. */
function ageSegments(): void {
  const weekAgo = service.clock.now() / 1000 - 7 * 24 * 60 * 60
  for (const name of segmentSizes(service.storageDir).keys()) {
    utimesSync(path.join(service.storageDir, name), weekAgo, weekAgo)
  }
}

kills('should lose nothing at any step, and be finished by the next process', async () => {
  for (let killAt = 1; ; killAt += stride) {
    assert.ok(killAt < stepsMax, 'it finishes at last')
    const shareId = await shrunk()
    const before = await look(service, owner, shareId)
    const isThrough = await compactUntil(killAt)
    assert.equal(await look(service, owner, shareId), before, `killed at step ${killAt}`)
    await service.app.storage.recover()
    await settleService(service)
    await assertInvariants(service)
    ageSegments()
    await compactFully(service)
    assert.equal(await look(service, owner, shareId), before, `finished after step ${killAt}`)
    assert.equal(await bytesOf(service, shareId), { used: 240_000, live: 240_000 })
    service.clock.advance(graceMs)
    await service.app.jobs.runAll()
    assert.ok(bytesBelow(service.storageDir) < 250_000, `the disk after step ${killAt}`)
    await assertInvariants(service)
    await owner.delete(`/api/shares/${shareId}`)
    if (isThrough) {
      assert.ok(killAt > 25, `only ${killAt} steps`)
      return
    }
  }
})

kills.run()
