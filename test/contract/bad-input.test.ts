// Every field of every operation with invalid values: a clear 4xx that names the field, the service
// keeps running, and no segment writer, permit, descriptor, row or byte is left behind.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Answer, multipart } from '../helpers/client.ts'
import { startService } from '../helpers/service.ts'
import { assertNoTraces, tracesNow } from '../helpers/traces.ts'
import { assertError } from './shapes.ts'

const bad = suite('contract: bad input')

const service = await startService({ env: { RATE_LIMIT_LOGIN: 'off' } })
const owner = await service.admin()
const draft = await owner.init()
// A segment writer is open and holds bytes: refused requests must not add to them.
await owner.chunk(draft, 'kept', 0, Buffer.alloc(300_000, 'k'))
bad.after(() => service.stop())

async function assertRefused(run: () => Promise<Answer>, field: string): Promise<void> {
  const before = await tracesNow(service)
  const answer = await run()
  assertError(answer, 400)
  const { field: named, error } = answer.json()
  assert.ok(named === field || error.includes(field), `"${error}" does not name ${field}`)
  await assertNoTraces(service, before)
  assert.is((await owner.get('/livez')).status, 200)
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined'
  return text.length > 40 ? `${text.slice(0, 40)}… (${text.length})` : text
}

const notText = [7, true, [], {}]
const brokenText = ['a\0b', '\ud800']
const notNumber = ['7', true, [], {}, -1, 1.5, 2 ** 53]

// ---

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
  for (const value of values) {
    bad(`should refuse ${field} ${show(value)} in initShare`, () =>
      assertRefused(() => owner.post('/api/shares/init', { [field]: value }), field),
    )
  }
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

// ---

/** Names that lead outside, or leave no name. */
// prettier-ignore
const impossible = [
  '../x', 'a/../../x', 'a\\..\\..\\x', '/../x', 'C:\\..\\x', '..', '.\0.', 'a/..', '.', './/.',
  '/', '\\\\', 'C:\\', '\n', '\u202e', '\u200f/\u061c',
]

const listedFields: Record<string, unknown[]> = {
  fileName: [undefined, null, ...notText],
  originalName: [undefined, null, ...notText, '', ...impossible],
  fileId: [undefined, null, ...notText, ...brokenText, '', 'x'.repeat(201), 'a\nb', 'a\u007fb'],
  size: [undefined, null, ...notNumber],
  mimeType: [...notText],
}

for (const [field, values] of Object.entries(listedFields)) {
  for (const value of values) {
    bad(`should refuse ${field} ${show(value)} in finalizeShare`, () =>
      assertRefused(() => {
        const file = { fileName: 'a', originalName: 'a', fileId: 'kept', size: 300_000 }
        const files = [{ ...file, [field]: value }]
        return owner.post(`/api/shares/${draft}/finalize`, { files })
      }, field),
    )
  }
}

for (const files of [undefined, null, 7, 'x', {}, { 0: {} }, [7], [null], ['x'], [[]]]) {
  bad(`should refuse files ${show(files)} in finalizeShare`, () =>
    assertRefused(() => owner.post(`/api/shares/${draft}/finalize`, { files }), 'files'),
  )
}

bad('should refuse one fileId twice, and another discardUnlisted, in finalizeShare', async () => {
  const file = { fileName: 'a', originalName: 'a', fileId: 'kept', size: 300_000 }
  const finalize = (body: object) => () => owner.post(`/api/shares/${draft}/finalize`, body)
  await assertRefused(finalize({ files: [file, file] }), 'fileId')
  for (const discardUnlisted of [7, 'true']) {
    await assertRefused(finalize({ files: [], discardUnlisted }), 'discardUnlisted')
  }
})

// ---

/** The text of a field of a multipart body, as bytes; null leaves the field out. */
type FieldBytes = string | Buffer | null

// prettier-ignore
const chunkFieldValues: Record<string, FieldBytes[]> = {
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

function withField(name: string, value: FieldBytes, fieldsFirst: boolean) {
  const marker = 'value-of-the-field'
  const fields: Record<string, string> = {
    chunkIndex: '0',
    fileName: 'a',
    fileId: 'new',
    [name]: marker,
  }
  if (value === null) delete fields[name]
  const { body, contentType } = multipart(fields, Buffer.from('some bytes'), fieldsFirst)
  if (value === null) return { body, contentType }
  const at = body.indexOf(marker)
  const after = body.subarray(at + marker.length)
  return { body: Buffer.concat([body.subarray(0, at), Buffer.from(value), after]), contentType }
}

for (const [field, values] of Object.entries(chunkFieldValues)) {
  for (const value of values) {
    const shown = value instanceof Buffer ? `bytes ${value.toString('hex')}` : show(value)
    for (const fieldsFirst of [true, false]) {
      const place = fieldsFirst ? 'before' : 'after'
      bad(`should refuse ${field} ${shown} ${place} the bytes of a chunk`, async () => {
        const before = await tracesNow(service)
        const { body, contentType } = withField(field, value, fieldsFirst)
        const headers = { 'content-type': contentType }
        const answer = await owner.call('POST', `/api/shares/${draft}/chunk`, { body, headers })
        assertError(answer, 400)
        await assertNoTraces(service, before)
      })
    }
  }
}

bad('should accept every field of a chunk at its bounds', async () => {
  const shareId = await owner.init()
  const long = { fileName: 'ü'.repeat(1024), fields: { fileId: '😀'.repeat(100) } }
  assert.is((await owner.chunk(shareId, 'x', 99_999, 'x', long)).status, 200)
  assert.is(
    (await owner.chunk(shareId, '../../etc/passwd', 0, 'x', { fileName: 'a\\x' })).status,
    200,
  )
  assert.is((await owner.chunk(shareId, 'x', '0000000007', 'x')).status, 200)
})

// ---

// prettier-ignore
const ids = [
  '%2e%2e%2f', 'ab', 'x'.repeat(51), 'x'.repeat(5e3), 'a%00b', 'a%0ab', '%ff', 'a.b', 'a%20b',
  "a'b", '%c3%bc%c3%bc%c3%bc', '%ed%a0%80abc', '*', '(select)', '2147483648',
]
const idPaths: [method: string, path: (id: string) => string][] = [
  ['POST', (id) => `/api/shares/${id}/finalize`],
  ['GET', (id) => `/api/public/shares/${id}`],
  ['POST', (id) => `/api/shares/${id}/verify`],
  ['GET', (id) => `/api/shares/${id}/download`],
]

for (const [method, pathOf] of idPaths) {
  bad(`should answer 404 to invalid share ids: ${method} ${pathOf('<id>')}`, async () => {
    for (const id of ids) {
      assertError(await owner.call(method, pathOf(id)), 404, 'not_found')
    }
  })
}

bad('should refuse invalid queries', async () => {
  const shareId = await owner.share({ a: 'content' })
  for (const files of ['', '0', '-1', 'a', '1,', ',1', '1,,2', '1.5', '2147483648', '1%00']) {
    const answer = await owner.get(`/api/shares/${shareId}/download?files=${files}`)
    assertError(answer, 400, 'invalid_input')
  }
  for (const as of ['admin', '', 'owner%00']) {
    assertError(await owner.get(`/api/shares/${shareId}/download?as=${as}`), 400, 'invalid_input')
  }
})

bad('should refuse a parameter of a query that has two values', async () => {
  const shareId = await owner.share({ a: 'content', b: 'content' })
  const { files } = (await owner.get(`/api/shares/${shareId}`)).json()
  const [one, two] = files.map(({ id }: { id: number }) => id)
  const archive = `/api/shares/${shareId}/download`
  const repeated = [
    [archive, 'format=zip&format=tar', 'format'],
    [archive, 'format=tar&format=tar&format=zip', 'format'],
    [archive, `files=${one}&files=${two}`, 'files'],
    [archive, 'as=other&as=owner', 'as'],
    [archive, 'other=1&format=tar&%66ormat=zip', 'format'],
    [`/api/shares/${shareId}/files/${one}`, 'inline=0&inline=1', 'inline'],
    ['/api/audit', 'limit=1&limit=2', 'limit'],
    ['/api/audit.csv', 'event=share.created&event=share.deleted', 'event'],
    ['/api/admin/shares', 'limit=1&limit=2', 'limit'],
  ]
  for (const [path, query, field] of repeated) {
    const answer = await owner.get(`${path}?${query}`)
    assertError(answer, 400, 'invalid_input')
    assert.equal(
      [answer.json().field, answer.json().error],
      [field, `${field}: must have only one value`],
    )
  }
  const same = ['other=1&other=2', 'format=tar&format=tar&as=owner&as=owner']
  for (const query of [`files=${one},${two}`, ...same]) {
    assert.is((await owner.get(`${archive}?${query}`)).status, 200, query)
  }
})

bad('should leave the draft as it was', async () => {
  const arrived = (await owner.get(`/api/shares/${draft}/chunks`)).json()
  assert.equal(arrived, { chunks: [{ fileId: 'kept', from: 0, to: 0, bytes: 300_000 }] })
  const listed = [{ fileId: 'kept', originalName: 'k', size: 300_000 }]
  assert.is((await owner.finalize(draft, listed)).status, 200)
})
