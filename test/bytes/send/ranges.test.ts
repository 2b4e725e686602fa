import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Client, type Answer } from '../../helpers/client.ts'
import { startAgain } from '../../helpers/restart.ts'
import { assertNothingLeft, downloadCount, fileIds, patterned, startUnlimited } from './scene.ts'

const ranges = suite('downloads: ranges and conditions')
const otherTag = '"something-else"'
const past = 'Tue, 01 Jan 2019 00:00:00 GMT'
const future = 'Fri, 01 Jan 2099 00:00:00 GMT'

interface Target {
  path: string
  content: Buffer
  etag: string
  lastModified: string
}

const targets = new Map<string, Target>()

const service = await startUnlimited()
const owner = await service.admin()
const shareId = await owner.share({ 'a.bin': patterned(700), 'b/ä.txt': 'hello', empty: '' })
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
ranges.after(() => service.stop())

/** `headers` may hold the words ETAG and DATE for the target's own validators. */
interface Case {
  title: string
  headers: Record<string, string>
  status: number
  /** First byte and the one after the last, of a 206; negative from the end. */
  range?: [start: number, end: number]
}

const cases: Case[] = [
  { title: 'nothing', headers: {}, status: 200 },
  { title: 'the first byte', headers: { range: 'bytes=0-0' }, status: 206, range: [0, 1] },
  { title: 'bytes in between', headers: { range: 'bytes=7-19' }, status: 206, range: [7, 20] },
  {
    title: 'all from one byte on',
    headers: { range: 'bytes=100-' },
    status: 206,
    range: [100, Infinity],
  },
  { title: 'the last bytes', headers: { range: 'bytes=-3' }, status: 206, range: [-3, Infinity] },
  {
    title: 'more than exists',
    headers: { range: 'bytes=5-999999999999999999999' },
    status: 206,
    range: [5, Infinity],
  },
  { title: 'a byte after the end', headers: { range: 'bytes=1000000-' }, status: 416 },
  { title: 'the last zero bytes', headers: { range: 'bytes=-0' }, status: 416 },
  { title: 'two ranges', headers: { range: 'bytes=0-1,4-5' }, status: 200 },
  { title: 'another unit', headers: { range: 'lines=1-2' }, status: 200 },
  { title: 'a range backwards', headers: { range: 'bytes=9-3' }, status: 200 },
  { title: 'its own tag', headers: { 'if-none-match': 'ETAG' }, status: 304 },
  {
    title: 'its own tag, weak, in a list',
    headers: { 'if-none-match': `"x", W/ETAG` },
    status: 304,
  },
  { title: 'any tag but one', headers: { 'if-none-match': otherTag }, status: 200 },
  { title: 'nothing newer', headers: { 'if-modified-since': 'DATE' }, status: 304 },
  { title: 'changed since long ago', headers: { 'if-modified-since': past }, status: 200 },
  {
    title: 'another tag, with any date',
    headers: { 'if-none-match': otherTag, 'if-modified-since': future },
    status: 200,
  },
  {
    title: 'a range unless known',
    headers: { 'if-none-match': 'ETAG', range: 'bytes=0-3' },
    status: 304,
  },
  { title: 'exactly this version', headers: { 'if-match': 'ETAG' }, status: 200 },
  { title: 'another version', headers: { 'if-match': otherTag }, status: 412 },
  { title: 'this version by a weak tag', headers: { 'if-match': 'W/ETAG' }, status: 412 },
  { title: 'unmodified since long ago', headers: { 'if-unmodified-since': past }, status: 412 },
  { title: 'unmodified since then', headers: { 'if-unmodified-since': 'DATE' }, status: 200 },
  {
    title: 'a range of this version',
    headers: { range: 'bytes=10-', 'if-range': 'ETAG' },
    status: 206,
    range: [10, Infinity],
  },
  {
    title: 'a range of another version',
    headers: { range: 'bytes=10-', 'if-range': otherTag },
    status: 200,
  },
  {
    title: 'a range by a weak tag',
    headers: { range: 'bytes=10-', 'if-range': 'W/ETAG' },
    status: 200,
  },
  {
    title: 'a range by the very date',
    headers: { range: 'bytes=10-', 'if-range': 'DATE' },
    status: 200,
  },
  {
    title: 'a range outside, of another version',
    headers: { range: 'bytes=1000000-', 'if-range': otherTag },
    status: 200,
  },
]

function fill(headers: Record<string, string>, target: Target): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value.replace('ETAG', target.etag).replace('DATE', target.lastModified),
    ]),
  )
}

function assertContent(answer: Answer, { content, etag, lastModified }: Target, test: Case): void {
  assert.is(answer.headers['cache-control'], 'private, no-cache, no-transform')
  assert.is(answer.headers['etag'], etag)
  assert.is(answer.headers['last-modified'], lastModified)
  if (answer.status === 304) {
    assert.is(answer.body.length, 0)
    return
  }
  const expected = test.range ? content.subarray(...test.range) : content
  assert.ok(answer.body.equals(expected), 'other bytes than requested')
  assert.is(answer.headers['content-length'], String(expected.length))
  assert.is(answer.headers['accept-ranges'], 'bytes')
  const start = expected.byteOffset - content.byteOffset
  assert.is(
    answer.headers['content-range'],
    test.range ? `bytes ${start}-${start + expected.length - 1}/${content.length}` : undefined,
  )
}

for (const name of ['file', 'archive', 'tar', 'selection']) {
  for (const test of cases) {
    const { title, headers, status } = test
    ranges(`should answer ${status} to ${title} of the ${name}`, async () => {
      const target = targets.get(name)!
      const answer = await anonymous.get(target.path, fill(headers, target))
      assert.is(answer.status, status)
      if (status < 400) return assertContent(answer, target, test)
      assert.is(
        answer.json().code,
        status === 416 ? 'range_not_satisfiable' : 'precondition_failed',
      )
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
    for (const field of Object.keys(get.headers)) {
      if (['date', 'set-cookie', 'connection', 'keep-alive', 'x-request-id'].includes(field))
        continue
      assert.is(head.headers[field], get.headers[field], field)
    }
    // RFC 9110, section 14.2: Range applies to GET only.
    const ranged = await anonymous.call('HEAD', path, { headers: { range: 'bytes=0-3' } })
    assert.equal([ranged.status, ranged.headers['content-length']], [200, String(content.length)])
    const known = await anonymous.call('HEAD', path, { headers: { 'if-none-match': etag } })
    assert.is(known.status, 304)
    assert.is(await downloadCount(service, shareId), count)
  })
}

ranges('should answer each single byte and each tail of a small archive', async () => {
  const { path, content } = targets.get('selection')!
  for (let start = 0; start < content.length; start++) {
    const [byte, tail] = await Promise.all([
      anonymous.get(path, { range: `bytes=${start}-${start}` }),
      anonymous.get(path, { range: `bytes=${start}-` }),
    ])
    assert.ok(byte.body.equals(content.subarray(start, start + 1)), `byte ${start}`)
    assert.ok(tail.body.equals(content.subarray(start)), `tail from ${start}`)
  }
})

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

ranges('should give other bytes another ETag', async () => {
  const owner = await service.admin()
  const same = { 'a.bin': patterned(700), 'b/ä.txt': 'hello', empty: '' }
  const twin = await owner.share(same)
  const tags = [...targets.values()].map(({ etag }) => etag)
  tags.push((await anonymous.get(`/api/shares/${twin}/download`)).headers['etag'] as string)
  assert.is(new Set(tags).size, tags.length)
})
