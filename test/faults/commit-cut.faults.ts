// The connection to PostgreSQL breaks around COMMIT: it is unknown whether the row is there. Its
// range must never be written again, and the chunk must be stored when it is sent again.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Client, randomContent, type Answer } from '../helpers/client.ts'
import { connect } from '../../src/database/connect.ts'
import { startService } from '../helpers/service.ts'
import { assertInvariants, settleService } from '../helpers/invariants.ts'
import { sharedSocketDir } from '../helpers/postgres.ts'
import { startPostgresProxy } from '../helpers/postgres-proxy.ts'
import { startAgain, type Restarted } from '../helpers/restart.ts'

const cuts = suite('connection lost around COMMIT')

const service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off' } })
const [row] = await service.database.sql<{ name: string; role: string }[]>`
  select current_database() as name, current_user as role`
const { name, role } = row as { name: string; role: string }
/** Where the connection is lost at the next COMMIT: with it, or only with its answer. */
const places = ['before the commit arrives', 'before its answer'] as const
let next: (typeof places)[number] | null = null
const proxy = await startPostgresProxy(await sharedSocketDir(), (data, client) => {
  // Nothing else is in the message of a COMMIT; short messages are never split.
  const place = data.includes('commit\0') ? next : null
  if (place === null) return 'pass'
  next = null
  if (place === 'before its answer') return 'lose the answer'
  client.destroy()
  return 'lose'
})
const url = `postgres://${role}@127.0.0.1:${proxy.port}/${name}`
const database = connect({ url, applicationName: 'test' })
const proxied: Restarted = await startAgain({ ...service, database })
const sender = new Client(proxied.url, (await service.admin()).token)
cuts.after(async () => {
  await proxied.close()
  await database.close()
  await proxy.close()
})

function assertRefused(answer: Answer): void {
  assert.is(answer.status, 503, answer.body.toString())
  assert.is(answer.json().code, 'unavailable')
  assert.type(answer.json().error, 'string')
  assert.ok(Number(answer.headers['retry-after']) > 0)
}

async function assertWhole(shareId: string, contents: readonly Buffer[]): Promise<void> {
  const whole = Buffer.concat(contents)
  const finalized = await sender.finalize(shareId, [
    { fileId: 'f', originalName: 'f', size: whole.length },
  ])
  assert.is(finalized.status, 200, finalized.body.toString())
  assert.ok((await sender.download(shareId)).body.equals(whole), 'the file is identical')
  await settle()
  await assertInvariants(service)
}

function settle(): Promise<void> {
  return settleService({ ...service, app: proxied.app })
}

for (const place of places) {
  for (const length of [2000, 600_000]) {
    cuts(`should mix no bytes when it is lost ${place} (${length} bytes)`, async () => {
      const shareId = await sender.init()
      const contents = [0, 1, 2, 3].map((index) => randomContent(length, `${place} ${index}`))
      const send = (index: number) => sender.chunk(shareId, 'f', index, contents[index] as Buffer)
      assert.is((await send(0)).status, 200)

      next = place
      assertRefused(await send(1))
      assert.is(next, null)
      const listed = (await sender.get(`/api/shares/${shareId}/chunks`)).json().chunks
      assert.is(listed[0].to, place === 'before its answer' ? 1 : 0, 'as the cut was meant')

      assert.is((await send(2)).status, 200, 'the next chunk gets the same writer')
      await settle()
      await assertInvariants(service)
      for (const index of [1, 3]) assert.is((await send(index)).status, 200)
      await assertWhole(shareId, contents)
    })
  }
}

cuts('should answer finalize the same when its COMMIT had no answer', async () => {
  const shareId = await sender.init()
  assert.is((await sender.chunk(shareId, 'f', 0, 'abc')).status, 200)
  const list = [{ fileId: 'f', originalName: 'f', size: 3 }]
  for (const place of places) {
    next = place
    assertRefused(await sender.finalize(shareId, list))
    assert.is(next, null)
  }
  assert.is((await sender.finalize(shareId, list)).status, 200)
  await settle()
  await assertInvariants(service)
})

cuts('should leave nothing of a share whose deletion had no answer', async () => {
  for (const place of places) {
    const shareId = await sender.share({ 'a.txt': 'a' })
    next = place
    assertRefused(await sender.delete(`/api/shares/${shareId}`))
    const again = await sender.delete(`/api/shares/${shareId}`)
    assert.is(again.status, place === 'before its answer' ? 404 : 200)
    await settle()
    await assertInvariants(service)
  }
})
