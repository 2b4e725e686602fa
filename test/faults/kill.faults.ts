// kill -9 of the service in the middle of uploads, and of PostgreSQL under them: acknowledged
// chunks are there, the rest can be sent again, and the files are identical.
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { clusterDirOf, homeOf } from '../../src/database/embedded/place.ts'
import { readPostmasterFile } from '../../src/database/embedded/processes.ts'
import { connect, type Database, type Sql } from '../../src/database/connect.ts'
import { multipart, type Client } from '../helpers/client.ts'
import { randomContent } from '../helpers/content.ts'
import { assertInvariants } from '../helpers/invariants.ts'
import { RawConnection } from '../helpers/raw-connection.ts'
import { bytesBelow } from '../helpers/traces.ts'
import { until } from '../helpers/until.ts'
import { FaultScene, insist } from './scene.ts'

const mebibyte = 1024 * 1024

interface Context {
  scene: FaultScene
}

const kills = suite<Context>('kill -9')

kills.before.each(async (context) => {
  context.scene = new FaultScene()
  await context.scene.start()
})
kills.after.each((context) => context.scene.clear())

function postmasterOf(scene: FaultScene): { pid: number; socketDir: string } {
  const found = readPostmasterFile(clusterDirOf(homeOf(scene.dataDir)))
  if (!found) throw new Error('no database runs')
  return found
}

/** Looks into the service's own database. */
async function lookInto(
  scene: FaultScene,
  look: (database: Database) => Promise<void>,
): Promise<void> {
  const { socketDir } = postmasterOf(scene)
  const database = connect({
    socketDir,
    user: 'transfer',
    database: 'postgres',
    connectionsMax: 1,
    applicationName: 'test',
  })
  try {
    await look(database)
  } finally {
    await database.close()
  }
}

const checkInvariants = (scene: FaultScene) =>
  lookInto(scene, (database) =>
    assertInvariants({ database, storageDir: path.join(scene.dataDir, 'storage') }),
  )

async function assertIdentical(sender: Client, shareId: string, content: Buffer): Promise<void> {
  const finalized = await sender.finalize(shareId, [
    { fileId: 'f', originalName: 'f', size: content.length },
  ])
  assert.is(finalized.status, 200, finalized.body.toString())
  const { files } = (await sender.get(`/api/public/shares/${shareId}`)).json()
  const answer = await sender.get(`/api/shares/${shareId}/files/${files[0].id}`)
  assert.ok(answer.body.equals(content), 'the file is identical')
}

/** The indexes of file `f` that the service reports as received. */
async function arrived(sender: Client, shareId: string): Promise<Set<number>> {
  const { chunks } = (await sender.get(`/api/shares/${shareId}/chunks`)).json()
  const indexes = new Set<number>()
  for (const { from, to } of chunks) for (let at = from; at <= to; at += 1) indexes.add(at)
  return indexes
}

kills('should lose no acknowledged chunk, and list nothing of a partial one', async ({ scene }) => {
  const { sender } = scene
  const containers = path.join(scene.dataDir, 'storage')
  const shareId = await sender.init()
  const contents = [3000, 700_000, 6 * mebibyte, 5000].map((length) =>
    randomContent(length, length),
  )
  for (const index of [0, 1]) {
    assert.is((await sender.chunk(shareId, 'f', index, contents[index] as Buffer)).status, 200)
  }
  const before = bytesBelow(containers)
  const fields = { chunkIndex: '2', fileName: 'f', fileId: 'f' }
  const { body, contentType } = multipart(fields, contents[2] as Buffer, true)
  const connection = await RawConnection.open(scene.service.url)
  await connection.send(
    `POST /api/shares/${shareId}/chunk HTTP/1.1\r\nHost: test\r\n` +
      `Authorization: Bearer ${sender.token}\r\nContent-Type: ${contentType}\r\n` +
      `Content-Length: ${body.length}\r\n\r\n`,
  )
  await connection.send(body.subarray(0, body.length - 1000))
  await until('half a chunk is on disk', () => bytesBelow(containers) > before)
  await scene.kill()
  connection.destroy()

  const left = bytesBelow(containers)
  await scene.start()
  const again = scene.sender
  assert.equal(await arrived(again, shareId), new Set([0, 1]))
  assert.is(bytesBelow(containers), left, 'a start truncates nothing')
  for (const index of [2, 3]) {
    assert.is((await again.chunk(shareId, 'f', index, contents[index] as Buffer)).status, 200)
  }
  await checkInvariants(scene)
  await assertIdentical(again, shareId, Buffer.concat(contents))
})

kills('should show what was received before, on the day it was', async ({ scene }) => {
  await scene.sender.share({ a: 'content' })
  const recorded = (sql: Sql) => sql`select from traffic_days where received_bytes = 7`
  await lookInto(scene, ({ sql }) =>
    until('it is recorded', async () => (await recorded(sql)).length === 1),
  )
  await scene.kill()
  await scene.start()
  const [today] = (await scene.sender.get('/api/admin/overview?days=1')).json().days
  assert.equal([today.received_bytes, today.uploads], [7, 1])
})

kills('should answer 503 while PostgreSQL is down, and continue by itself', async ({ scene }) => {
  const { sender } = scene
  const shareId = await sender.init()
  const contents = Array.from({ length: 60 }, (_, index) =>
    randomContent(index % 5 === 0 ? 500_000 : 4000, `database ${index}`),
  )
  const queue = [...contents.keys()]
  let acknowledged = 0
  let refused = 0
  let killed = 0
  const worker = async () => {
    for (let index = queue.shift(); index !== undefined; index = queue.shift()) {
      const answer = await insist(async () => {
        const attempt = await sender.chunk(shareId, 'f', index as number, contents[index] as Buffer)
        if (attempt.status === 503) refused += 1
        return attempt
      })
      assert.is(answer.status, 200, answer.body.toString())
      acknowledged += 1
      if (acknowledged >= 15 * (killed + 1) && killed < 2) {
        killed += 1
        process.kill(postmasterOf(scene).pid, 'SIGKILL')
      }
    }
  }
  await Promise.all(Array.from({ length: 6 }, worker))
  assert.is(killed, 2)
  assert.ok(refused > 0, 'some were refused')
  assert.not(scene.service.hasEnded, 'the service kept running')
  assert.is((await arrived(sender, shareId)).size, contents.length)
  await checkInvariants(scene)
  await assertIdentical(sender, shareId, Buffer.concat(contents))
})

kills.run()
