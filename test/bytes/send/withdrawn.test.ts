// Shares that another process, or the command line, withdraws from running transfers.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SlowReader } from '../../helpers/slow-reader.ts'
import { Guest, makeLink } from '../../requests/guest.ts'
import { Gate, replaceRead } from '../../helpers/replaced.ts'
import { until } from '../../helpers/until.ts'
import { assertNothingLeft, fileIds, patterned, startUnlimited } from './scene.ts'

const withdrawn = suite('downloads: withdrawn by another process')
const mib = 1024 * 1024
const big = patterned(24 * mib)

const service = await startUnlimited()
const owner = await service.admin()
withdrawn.after.each(() => assertNothingLeft(service))
withdrawn.after(() => service.stop())

async function begin(target: string, headers: Record<string, string> = {}): Promise<SlowReader> {
  const reader = await SlowReader.open(service.url + target, headers)
  await reader.read(mib)
  return reader
}

const asOwner = () => ({ authorization: `Bearer ${owner.token}` })
const isWhole = async (reader: SlowReader) => (await reader.readRest()).isComplete
const look = () => service.app.jobs.runAll()

interface Story {
  title: string
  change: (shareId: string) => Promise<unknown>
  goesOn: boolean
}

/** Changes that another process makes to the rows of a share. */
const stories: Story[] = [
  {
    title: 'deletes the share',
    change: (id) => service.database.sql`delete from shares where id = ${id}`,
    goesOn: false,
  },
  {
    title: 'gives it a password',
    change: (id) => service.database.sql`
      update shares set password_hash = 'new', password_version = password_version + 1
      where id = ${id}`,
    goesOn: false,
  },
  {
    title: 'lets it expire',
    change: (id) =>
      service.database.sql`update shares set expires_at = '2001-01-01' where id = ${id}`,
    goesOn: true,
  },
  {
    title: 'cleans it up',
    change: (id) => service.database.sql`update shares set state = 'expired' where id = ${id}`,
    goesOn: true,
  },
  {
    title: 'changes its name, limit and files',
    change: (id) => service.database.sql`
      update shares set name = 'other', max_downloads = 1, revision = gen_random_uuid()
      where id = ${id}`,
    goesOn: true,
  },
]

for (const { title, change, goesOn } of stories) {
  withdrawn(`should ${goesOn ? 'continue' : 'end'} when another process ${title}`, async () => {
    const shareId = await owner.share({ big })
    const otherId = await owner.share({ big })
    const file = `/api/shares/${shareId}/files/${(await fileIds(service, shareId))['big']}`
    const begun = await Promise.all([
      begin(file),
      begin(`/api/shares/${shareId}/download`),
      begin(`/api/shares/${shareId}/download?as=owner`, asOwner()),
    ])
    const other = await begin(`/api/shares/${otherId}/download`)
    await look()
    await change(shareId)
    await look()
    for (const reader of begun) assert.is(await isWhole(reader), goesOn)
    assert.ok(await isWhole(other), 'another share')
  })
}

const newPassword = { json: { password: 'a new one' } }
const instants: [title: string, change: (id: string) => Promise<unknown>, statuses: number[]][] = [
  ['is deleted', (id) => owner.delete(`/api/shares/${id}`), [404, 404]],
  ['gets a password', (id) => owner.call('PATCH', `/api/shares/${id}`, newPassword), [401, 503]],
  ['is stopped', (id) => owner.post(`/api/shares/${id}/stop`), [410, 410]],
  ['is deleted elsewhere', async (id) => stories[0]!.change(id).then(look), [404, 404]],
  ['gets a password elsewhere', async (id) => stories[1]!.change(id).then(look), [401, 503]],
]

for (const [title, change, statuses] of instants) {
  withdrawn(`should answer when the share ${title} while its bytes are read`, async () => {
    const shareId = await owner.share({ big })
    const anonymous = service.client()
    const gate = new Gate()
    const { running } = service.app.services.downloads
    const undo = replaceRead((real) => (...call) => {
      void gate.passed.then(() => real(...call))
    })
    try {
      const asked = Promise.all([
        anonymous.get(`/api/shares/${shareId}/download`),
        owner.get(`/api/shares/${shareId}/download?as=owner`),
      ])
      await until('both are being opened', () => running.count === 2)
      await change(shareId)
      gate.open()
      const answers = await asked
      assert.equal(
        answers.map((answer) => answer.status),
        statuses,
      )
      assert.is((await anonymous.get('/livez')).status, 200)
    } finally {
      undo()
      gate.open()
    }
  })
}

withdrawn('should end when deliveries and reverse shares are deleted', async () => {
  const kept = await makeLink(owner, { name: 'Kept' })
  const gone = await makeLink(owner, { name: 'Gone' })
  for (const id of [kept, gone]) await new Guest(service.client(), id).deliver({ big })
  const readers: Record<string, SlowReader[]> = {}
  for (const id of [kept, gone]) {
    const [delivery] = (await owner.get(`/api/reverse/${id}/deliveries`)).json()
    readers[id] = await Promise.all([
      begin(`/api/reverse/${id}/download`, asOwner()),
      begin(`/api/reverse/${id}/download?delivery=${delivery.id}`, asOwner()),
      begin(`/api/reverse/files/${delivery.files[0].id}/download`, asOwner()),
    ])
  }
  await service.database.sql`delete from deliveries where reverse_share_id = ${gone}`
  await service.database.sql`delete from reverse_shares where id = ${gone}`
  await look()
  for (const reader of readers[gone]!) assert.not.ok(await isWhole(reader))
  for (const reader of readers[kept]!) assert.ok(await isWhole(reader))
})

withdrawn('should ignore transfers that start while the answer is under way', async () => {
  const shareId = await owner.share({ big })
  const { running } = service.app.services.downloads
  const early = await begin(`/api/shares/${shareId}/download`)
  let late: SlowReader | null = null
  await running.abortWithdrawn(async () => {
    // An old answer, from before the share existed.
    late = await begin(`/api/shares/${shareId}/download`)
    return new Map()
  })
  assert.not.ok(await isWhole(early))
  assert.ok(await isWhole(late!))
})
