import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Client, randomContent, type Answer } from '../../helpers/client.ts'
import { startAgain } from '../../helpers/restart.ts'
import { add } from '../../shares/additions/scene.ts'
import { assertNothingLeft, downloadCount, fileIds, startUnlimited } from './scene.ts'

const ranges = suite('downloads: ranges and conditions')
const otherTag = '"something-else"'
const past = 'Tue, 01 Jan 2019 00:00:00 GMT'

interface Target {
  path: string
  content: Buffer
  etag: string
  lastModified: string
}

const targets = new Map<string, Target>()

const service = await startUnlimited()
const owner = await service.admin()
const shareId = await owner.share({ 'a.bin': randomContent(700), 'b/ä.txt': 'hello', empty: '' })
const ids = await fileIds(service, shareId)
const paths = {
  file: `/api/shares/${shareId}/files/${ids['a.bin']}`,
  archive: `/api/shares/${shareId}/download`,
  tar: `/api/shares/${shareId}/download?format=tar`,
  selection: `/api/shares/${shareId}/download?files=${ids['empty']},${ids['b/ä.txt']}`,
}
const anonymous = service.client()
for (const [name, path] of Object.entries(paths)) {
  const { body, headers } = await anonymous.get(path)
  const { etag, 'last-modified': lastModified } = headers as Record<string, string>
  targets.set(name, { path, content: body, etag: etag!, lastModified: lastModified! })
}
ranges.after.each(() => assertNothingLeft(service))

/**
 * `headers` may hold the words ETAG and DATE for the target's own validators. The range of a 206 is
 * its first byte and the one after the last; negative from the end.
 */
type Case = [
  title: string,
  headers: Record<string, string>,
  status: number,
  range?: [start: number, end: number],
]

const cases: Case[] = [
  ['nothing', {}, 200],
  ['bytes in between', { range: 'bytes=7-19' }, 206, [7, 20]],
  ['all from one byte on', { range: 'bytes=100-' }, 206, [100, Infinity]],
  ['the last bytes', { range: 'bytes=-3' }, 206, [-3, Infinity]],
  ['a byte after the end', { range: 'bytes=1000000-' }, 416],
  ['two ranges', { range: 'bytes=0-1,4-5' }, 200],
  ['its own tag', { 'if-none-match': 'ETAG' }, 304],
  ['nothing newer', { 'if-modified-since': 'DATE' }, 304],
  ['a range unless known', { 'if-none-match': 'ETAG', range: 'bytes=0-3' }, 304],
  ['exactly this version', { 'if-match': 'ETAG' }, 200],
  ['another version', { 'if-match': otherTag }, 412],
  ['unmodified since long ago', { 'if-unmodified-since': past }, 412],
  ['a range of this version', { range: 'bytes=10-', 'if-range': 'ETAG' }, 206, [10, Infinity]],
  ['a range of another version', { range: 'bytes=10-', 'if-range': otherTag }, 200],
  ['a range by the very date', { range: 'bytes=10-', 'if-range': 'DATE' }, 200],
  ['a range outside, of another version', { range: 'bytes=1000000-', 'if-range': otherTag }, 200],
]

function fill(headers: Record<string, string>, { etag, lastModified }: Target) {
  const words: Record<string, string> = { ETAG: etag, DATE: lastModified }
  const filled = Object.entries(headers).map(([name, value]) => [name, words[value] ?? value])
  return Object.fromEntries(filled)
}

function assertContent(answer: Answer, target: Target, range: Case[3]): void {
  const { content, etag, lastModified } = target
  assert.is(answer.headers['cache-control'], 'private, no-cache, no-transform')
  assert.is(answer.headers['etag'], etag)
  assert.is(answer.headers['last-modified'], lastModified)
  if (answer.status === 304) return assert.is(answer.body.length, 0)
  const expected = range ? content.subarray(...range) : content
  assert.ok(answer.body.equals(expected), 'other bytes than requested')
  assert.is(answer.headers['content-length'], String(expected.length))
  assert.is(answer.headers['accept-ranges'], 'bytes')
  const start = expected.byteOffset - content.byteOffset
  assert.is(
    answer.headers['content-range'],
    range ? `bytes ${start}-${start + expected.length - 1}/${content.length}` : undefined,
  )
}

for (const name of ['file', 'archive', 'tar', 'selection']) {
  for (const [title, headers, status, range] of cases) {
    ranges(`should answer ${status} to ${title} of the ${name}`, async () => {
      const target = targets.get(name)!
      const answer = await anonymous.get(target.path, fill(headers, target))
      assert.is(answer.status, status)
      if (status < 400) return assertContent(answer, target, range)
      const code = status === 416 ? 'range_not_satisfiable' : 'precondition_failed'
      assert.is(answer.json().code, code)
      if (status === 416) {
        assert.is(answer.headers['content-range'], `bytes */${target.content.length}`)
      }
    })
  }

  ranges(`should answer HEAD of the ${name} as GET, without a body`, async () => {
    const { path, content, etag } = targets.get(name)!
    const get = await anonymous.get(path)
    const count = await downloadCount(service, shareId)
    const head = await anonymous.call('HEAD', path)
    assert.equal([head.status, head.body.length], [200, 0])
    assert.is(head.headers['content-length'], String(content.length))
    const own = new Set(['date', 'set-cookie', 'connection', 'keep-alive', 'x-request-id'])
    for (const [field, value] of Object.entries(get.headers)) {
      if (!own.has(field)) assert.equal(head.headers[field], value, field)
    }
    // RFC 9110, section 14.2: Range applies to GET only.
    const ranged = await anonymous.call('HEAD', path, { headers: { range: 'bytes=0-3' } })
    assert.equal([ranged.status, ranged.headers['content-length']], [200, String(content.length)])
    const known = await anonymous.call('HEAD', path, { headers: { 'if-none-match': etag } })
    assert.is(known.status, 304)
    assert.is(await downloadCount(service, shareId), count)
  })
}

ranges('should answer an empty file in full, with or without a range', async () => {
  const ids = await fileIds(service, shareId)
  const path = `/api/shares/${shareId}/files/${ids['empty']}`
  const whole = await anonymous.get(path)
  assert.equal([whole.status, whole.headers['content-length']], [200, '0'])
  const suffix = await anonymous.get(path, { range: 'bytes=-5' })
  assert.equal([suffix.status, suffix.body.length], [200, 0])
  const first = await anonymous.get(path, { range: 'bytes=0-' })
  assert.equal([first.status, first.headers['content-range']], [416, 'bytes */0'])
})

ranges('should keep every ETag across requests, clients, leases and a restart', async () => {
  const again = await startAgain(service)
  const fresh = service.client()
  const restarted = new Client(again.url)
  try {
    for (const [name, { path, etag, content }] of targets) {
      assert.match(etag, /^"[^"]+"$/, 'strong')
      assert.is((await fresh.get(path)).headers['etag'], etag, `${name}, without a lease`)
      assert.is((await fresh.get(path)).headers['etag'], etag, `${name}, with a lease`)
      const headers = { range: 'bytes=2-', 'if-range': etag }
      const resumed = await restarted.get(path, headers)
      assert.is(resumed.status, 206, `${name}, after a restart`)
      assert.ok(resumed.body.equals(content.subarray(2)))
    }
  } finally {
    await again.close()
  }
})

ranges('should give other bytes another ETag when an id is issued again', async () => {
  const { sql } = service.database
  const shareId = await owner.share({ a: 'a' })
  const [backup] = await sql<{ revision: string; totalSize: number }[]>`
  select revision, total_size from shares where id = ${shareId}`
  const [photo, other] = [randomContent(200_000), randomContent(200_004)]
  await add(owner, shareId, { photo })
  const { photo: id } = await fileIds(service, shareId)
  const targets = [
    `/api/shares/${shareId}/files/${id}`,
    `/api/shares/${shareId}/download`,
    `/api/shares/${shareId}/download?files=${id}`,
  ]
  const before = await Promise.all(targets.map((target) => owner.get(target)))

  // As after a restored backup: the rows, and the counter of the ids too.
  await sql`delete from files where id = ${id!}`
  await sql`
  update shares
  set revision = ${backup!.revision},
      total_size = ${backup!.totalSize}
  where id = ${shareId}`
  await sql.unsafe(`alter table files alter column id restart with ${id}`)
  await add(owner, shareId, { other })
  assert.is((await fileIds(service, shareId))['other'], id, 'the id comes again')

  for (const [place, target] of targets.entries()) {
    const tag = before[place]!.headers['etag'] as string
    const now = await owner.get(target)
    assert.is.not(now.headers['etag'], tag, target)
    const resumed = await owner.get(target, { range: 'bytes=1000-', 'if-range': tag })
    assert.is(resumed.status, 200, target)
    assert.ok(resumed.body.equals(now.body))
    assert.is((await owner.get(target, { 'if-none-match': tag })).status, 200, target)
  }
  const file = await owner.get(targets[0]!)
  assert.ok(file.body.equals(other))
})
