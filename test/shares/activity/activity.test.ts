import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fileIds, Recipient, startUnlimited, untilSettled } from '../../bytes/send/scene.ts'
import { okay, pluck, randomContent } from '../../helpers/client.ts'

const activity = suite('shares: activity')

let recipient: Recipient

const service = await startUnlimited()
const owner = await service.admin()
activity.before.each(() => {
  recipient = new Recipient(service.url, '192.0.2.7')
})

async function log(shareId: string): Promise<any[]> {
  await untilSettled(service, shareId)
  const answer = await okay(owner.get(`/api/shares/${shareId}/activity`))
  assert.is(answer.headers['link'], undefined)
  return answer.json()
}

activity('should show who has downloaded what, newest first', async () => {
  const shareId = await owner.share({ 'a.txt': 'aaaa', 'b.txt': 'bb' })
  const ids = await fileIds(service, shareId)
  const path = `/api/shares/${shareId}`
  assert.equal(await log(shareId), [])
  const agent = { 'user-agent': 'x'.repeat(400) }
  const archive = await recipient.ask(`${path}/download`, agent)
  service.clock.advance(1000)
  await recipient.ask(`${path}/download?files=${ids['b.txt']}`)
  service.clock.advance(1000)
  const other = new Recipient(service.url, '192.0.2.7')
  await other.ask(`${path}/files/${ids['a.txt']}`, { 'user-agent': '<b>Ünicode' })
  await untilSettled(service, shareId)
  service.clock.advance(1000)
  await other.ask(`${path}/files/${ids['a.txt']}?inline=1`)
  const entries = await log(shareId)
  const now = service.clock.now()
  const iso = (before: number) => new Date(now - before).toISOString()
  const [preview, file, selection, whole, ...none] = entries
  assert.equal(none, [])
  assert.equal([preview?.target, preview?.file], ['preview', file?.file])
  assert.equal(pluck<any, string>(entries, 'transfer'), [file.id, file.id, whole.id, whole.id])
  assert.equal(pluck<any, string>(entries, 'counted'), [false, true, false, true])
  const { id, ...rest } = file!
  assert.match(id, /^[0-9a-f-]{36}$/)
  assert.equal(rest, {
    target: 'file',
    file: { id: ids['a.txt'], original_name: 'a.txt' },
    ip: '192.0.2.7',
    user_agent: rest.user_agent,
    started_at: iso(1000),
    finished_at: iso(1000),
    bytes_sent: 4,
    transfer: id,
    counted: true,
    running: false,
    person: null,
  })
  assert.match(rest.user_agent, /^<b>/)
  assert.equal(
    [selection?.target, selection?.file, selection?.started_at],
    ['selection', null, iso(2000)],
  )
  assert.equal([whole?.target, whole?.file, whole?.started_at], ['archive', null, iso(3000)])
  assert.is(whole?.bytes_sent, archive.body.length)
  assert.is(whole?.user_agent, 'x'.repeat(300))
})

activity('should show as much of addresses as the settings allow', async () => {
  const shareId = await owner.share({ a: 'a' })
  await recipient.ask(`/api/shares/${shareId}/download`)
  for (const [shownAddresses, expected] of [
    ['network', '192.0.2.0/24'],
    ['hidden', ''],
    ['full', '192.0.2.7'],
  ] as const) {
    await owner.put('/api/config', { shownAddresses })
    assert.equal(pluck(await log(shareId), 'ip'), [expected])
  }
})

activity('should add a resumption to its download', async () => {
  const shareId = await owner.share({ a: '0123456789' })
  const file = `/api/shares/${shareId}/files/${(await fileIds(service, shareId))['a']}`
  await recipient.ask(file, { range: 'bytes=0-3' })
  await untilSettled(service, shareId)
  const [begun, ...others] = await log(shareId)
  assert.equal([begun?.bytes_sent, begun?.finished_at, others], [4, null, []])
  service.clock.advance(1000)
  await recipient.ask(file, { range: 'bytes=4-' })
  const [whole, ...more] = await log(shareId)
  assert.equal([whole?.id, whole?.bytes_sent, more], [begun?.id, 10, []])
  assert.is(whole?.finished_at, new Date(service.clock.now()).toISOString())
})

activity('should show a download while it runs', async () => {
  const shareId = await owner.share({ big: randomContent(24 * 1024 * 1024) })
  const target = `/api/shares/${shareId}/download`
  const reader = await recipient.begin(target)
  await reader.read(1)
  const [running] = (await owner.get(`/api/shares/${shareId}/activity`)).json()
  assert.equal([running?.running, running?.finished_at, running?.counted], [true, null, true])
  await reader.readRest()
  const [finished] = await log(shareId)
  assert.equal([finished?.running, finished?.finished_at === null], [false, false])
})

activity('should survive the files, without their names', async () => {
  const hours = { expirationVal: 1, expirationUnit: 'Hours' }
  const shareId = await owner.share({ a: 'content' }, hours)
  await recipient.ask(`/api/shares/${shareId}/files/${(await fileIds(service, shareId))['a']}`)
  await untilSettled(service, shareId)
  service.clock.advance(3_600_000)
  await service.app.jobs.runAll()
  const [entry] = await log(shareId)
  assert.equal([entry?.target, entry?.file, entry?.bytes_sent], ['file', null, 7])
})
