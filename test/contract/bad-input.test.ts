// Every field of an upload with invalid values: a clear 4xx that names the field, the service keeps
// running, and no segment writer, permit, descriptor, row or byte is left behind.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError, multipart, okay, type Answer } from '../helpers/client.ts'
import { startService } from '../helpers/service.ts'
import { assertNoTraces, tracesNow } from '../helpers/invariants.ts'

const bad = suite('contract: bad input')

const service = await startService({ env: { RATE_LIMIT_LOGIN: 'off' } })
const owner = await service.admin()
const draft = await owner.init()
// A segment writer is open and holds bytes: refused requests must not add to them.
await owner.chunk(draft, 'kept', 0, Buffer.alloc(300_000, 'k'))

/** Sends each value of a field, all of which are refused without a trace. */
function refuse<Value>(
  field: string,
  where: string,
  values: readonly Value[],
  send: (value: Value) => Promise<Answer>,
): void {
  bad(`should refuse wrong values of ${field} ${where}`, async () => {
    const before = await tracesNow(service)
    for (const value of values) {
      const answer = await send(value)
      const shown = `${JSON.stringify(value)?.slice(0, 40)}: ${answer.body.toString()}`
      assert.is(answer.status, 400, shown)
      assertError(answer, 400)
      const { field: named, error } = answer.json()
      if (where !== 'of a chunk') assert.ok(named === field || error.includes(field), shown)
    }
    await assertNoTraces(service, before)
    assert.is((await owner.get('/livez')).status, 200)
  })
}

const notText = [7, true, [], {}]
const brokenText = ['a\0b', '\ud800']
const notNumber = ['7', true, [], {}, -1, 1.5, 2 ** 53]

const initFields: Record<string, unknown[]> = {
  name: [...notText, ...brokenText, 'x'.repeat(201)],
  password: [...notText, ...brokenText, 'x'.repeat(257)],
  expirationVal: [...notNumber, 10_001],
  expirationUnit: [...notText, '', 'hours', 'Years', 'Days '],
  recipients: [...notText, ...brokenText, 'x'.repeat(16 * 1024 + 1)],
  message: [...notText, ...brokenText, 'x'.repeat(10_001)],
  maxDownloads: [...notNumber, 2 ** 31],
}
for (const [field, values] of Object.entries(initFields)) {
  refuse(field, 'in initShare', values, (value) => {
    return owner.post('/api/shares/init', { [field]: value })
  })
}

bad('should accept every field of initShare at its bounds', async () => {
  const bounds = [
    { name: 'x'.repeat(200), message: 'x'.repeat(10_000), recipients: 'x'.repeat(16 * 1024) },
    { password: 'x'.repeat(256), maxDownloads: 2 ** 31 - 1, expirationVal: 10_000 },
    { maxDownloads: 0, expirationVal: 0, expirationUnit: null, name: '', password: '' },
    { name: 'Ü\u202e😀', message: 'line\nline\ttab', expirationUnit: 'Months' },
  ]
  for (const input of bounds) assert.is((await owner.post('/api/shares/init', input)).status, 200)
})

/** Names that lead outside, or leave no name. */
// oxfmt-ignore
const impossible = [
  '../x', 'a/../../x', 'a\\..\\..\\x', '/../x', 'C:\\..\\x', '..', '.\0.', 'a/..', '.', './/.',
  '/', '\\\\', 'C:\\', '\n', '\u202e', '\u200f/\u061c',
]

const finalize = (body: object) => owner.post(`/api/shares/${draft}/finalize`, body)
const kept = { fileName: 'a', originalName: 'a', fileId: 'kept', size: 300_000 }
const listedFields: Record<string, unknown[]> = {
  fileName: [undefined, null, ...notText],
  originalName: [undefined, null, ...notText, '', ...impossible],
  fileId: [undefined, null, ...notText, ...brokenText, '', 'x'.repeat(201), 'a\nb', 'a\u007fb'],
  size: [undefined, null, ...notNumber],
  mimeType: [...notText],
}
for (const [field, values] of Object.entries(listedFields)) {
  refuse(field, 'in finalizeShare', values, (value) => {
    return finalize({ files: [{ ...kept, [field]: value }] })
  })
}
const notFiles = [undefined, null, 7, 'x', {}, { 0: {} }, [7], [null], ['x'], [[]]]
refuse('files', 'in finalizeShare', notFiles, (files) => finalize({ files }))
refuse('fileId', 'in finalizeShare, twice', [[kept, kept]], (files) => finalize({ files }))
refuse('discardUnlisted', 'in finalizeShare', [7, 'true'], (discardUnlisted) => {
  return finalize({ files: [], discardUnlisted })
})

// oxfmt-ignore
const chunkFields: Record<string, (string | Buffer | null)[]> = {
  chunkIndex: [
    null, '', '-1', '1.5', '1e3', '0x10', ' 1', '1 ', '+1', 'NaN', '١', '100000', '4294967296',
    '9007199254740993', '9'.repeat(400),
  ],
  fileName: [
    null, '', 'x'.repeat(64 * 1024 + 1), '\0', '../x', 'a\\..\\..\\x', '/',
    Buffer.from([0x61, 0xed, 0xa0, 0x80]), Buffer.from([0xff]),
  ],
  fileId: [
    null, '', 'x'.repeat(201), 'a\0b', 'a\nb', 'a\tb', 'a\u007fb', 'a\u0080b',
    Buffer.from([97, 237, 160, 128]), Buffer.from([192, 175]),
  ],
  chunkHash: ['', 'x', 'a'.repeat(63), 'g'.repeat(64), 'a'.repeat(65), 'a'.repeat(64)],
}

/** A chunk with any bytes in a field; null leaves the field out. */
function sendChunk(name: string, value: string | Buffer | null, fieldsFirst: boolean) {
  const marker = 'value-of-the-field'
  const all = { chunkIndex: '0', fileName: 'a', fileId: 'new', [name]: marker }
  const fields = Object.entries(all).filter(([field]) => value !== null || field !== name)
  const bytes = Buffer.from('some bytes')
  const { body, contentType } = multipart(Object.fromEntries(fields), bytes, fieldsFirst)
  const [before = '', after = ''] = body.toString('latin1').split(marker)
  const filled = [before, Buffer.from(value ?? '').toString('latin1'), after].join('')
  const headers = { 'content-type': contentType }
  const data = value === null ? body : Buffer.from(filled, 'latin1')
  return owner.call('POST', `/api/shares/${draft}/chunk`, { body: data, headers })
}

for (const [field, values] of Object.entries(chunkFields)) {
  const sent = values.flatMap((value) => [true, false].map((isFirst) => ({ value, isFirst })))
  refuse(field, 'of a chunk', sent, ({ value, isFirst }) => sendChunk(field, value, isFirst))
}

bad('should accept every field of a chunk at its bounds', async () => {
  const shareId = await owner.init()
  const long = { fileName: 'ü'.repeat(1024), fields: { fileId: '😀'.repeat(100) } }
  assert.is((await owner.chunk(shareId, 'x', 99_999, 'x', long)).status, 200)
  await okay(owner.chunk(shareId, '../../etc/passwd', 0, 'x', { fileName: 'a\\x' }))
  assert.is((await owner.chunk(shareId, 'x', '0000000007', 'x')).status, 200)
})

bad('should answer 404 to what is no id', async () => {
  // oxfmt-ignore
  const ids = [
    '%2e%2e%2f', 'ab', 'x'.repeat(51), 'x'.repeat(5e3), 'a%00b', 'a%0ab', '%ff', 'a.b', 'a%20b',
    "a'b", '%c3%bc%c3%bc%c3%bc', '%ed%a0%80abc', '*', '(select)', '2147483648',
  ]
  for (const id of ids) {
    assertError(await owner.post(`/api/shares/${id}/finalize`), 404, 'not_found')
    assertError(await owner.get(`/api/public/shares/${id}`), 404, 'not_found')
    assertError(await owner.get(`/api/shares/${id}/download`), 404, 'not_found')
  }
})

bad('should refuse invalid queries, and a parameter that has two values', async () => {
  const shareId = await owner.share({ a: 'content', b: 'content' })
  const { files } = (await owner.get(`/api/shares/${shareId}`)).json()
  const [one, two] = files.map(({ id }: { id: number }) => id)
  const archive = `/api/shares/${shareId}/download`
  for (const as of ['admin', '', 'owner%00']) {
    assertError(await owner.get(`${archive}?as=${as}`), 400, 'invalid_input')
  }
  for (const [path, query, field] of [
    [archive, 'format=zip&format=tar', 'format'],
    [archive, `files=${one}&files=${two}`, 'files'],
    [archive, 'as=other&as=owner', 'as'],
    [archive, 'other=1&format=tar&%66ormat=zip', 'format'],
    [`/api/shares/${shareId}/files/${one}`, 'inline=0&inline=1', 'inline'],
    ['/api/audit', 'limit=1&limit=2', 'limit'],
  ]) {
    const answer = await owner.get(`${path}?${query}`)
    assertError(answer, 400, 'invalid_input')
    const { field: named, error } = answer.json()
    assert.equal([named, error], [field, `${field}: must have only one value`])
  }
  const same = ['other=1&other=2', 'format=tar&format=tar&as=owner&as=owner']
  for (const query of [`files=${one},${two}`, ...same]) await okay(owner.get(`${archive}?${query}`))
})

bad('should name the bound of a list in its own words', async () => {
  const id = await owner.share({ a: 'content' })
  const texts = (count: number) => Array.from({ length: count }, (_, at) => `a${at}@example.org`)
  const ascending = /^files: must be ids and ascending ranges of at most [0-9]+ files$/
  const discarded = await owner.post(`/api/shares/${draft}/discard`, { fileIds: texts(201) })
  const resent = await owner.post(`/api/shares/${id}/resend`, { recipients: texts(101) })
  for (const [answer, expected] of [
    [await owner.get(`/api/shares/${id}/download?files=2-1`), ascending],
    [await owner.get(`/api/shares/${id}/download?files=1-2147483647`), ascending],
    [discarded, /^fileIds: must be at most 200$/],
    [resent, /^recipients: must be at most 100$/],
  ] as const) {
    assertError(answer, 400, 'invalid_input')
    assert.match(answer.json().error, expected)
  }
})

bad('should leave the draft as it was', async () => {
  const arrived = (await owner.get(`/api/shares/${draft}/chunks`)).json()
  assert.equal(arrived, { chunks: [{ fileId: 'kept', from: 0, to: 0, bytes: 300_000 }] })
  const listed = [{ fileId: 'kept', originalName: 'k', size: 300_000 }]
  assert.is((await owner.finalize(draft, listed)).status, 200)
})
