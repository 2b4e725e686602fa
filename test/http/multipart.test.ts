// The multipart corpus: every shape that crashed or fooled another server (security.md, the rows
// of multer and busboy), against the parser as the service uses it.
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { json } from '../../src/http/answer.ts'
import { readMultipart } from '../../src/http/multipart.ts'
import { assertError, type Answer } from '../helpers/client.ts'
import { RawConnection } from '../helpers/raw-connection.ts'
import { route, startListener } from '../helpers/small-listener.ts'

/** More than a field may have. */
const fileBytesMax = 100_000
const contentType = 'multipart/form-data; boundary=XX'

/** What the sink received from the last request. */
let taken: Buffer = Buffer.alloc(0)
let before: object = {}
/** Whether the sink asks for a pause at every write. */
let isSlow = false

const receive = route('POST /receive', async ({ context }) => {
  taken = Buffer.alloc(0)
  const fields = await readMultipart(context, {
    file: 'chunk',
    fileBytesMax,
    fields: ['a', 'b'],
    onFile: (fields) => {
      before = Object.fromEntries(fields)
    },
    write(data: Buffer): void | Promise<void> {
      taken = Buffer.concat([taken, data])
      if (isSlow) return new Promise((resolve) => setImmediate(resolve))
    },
  })
  return json({ fields: Object.fromEntries(fields), bytes: taken.length })
})

const small = await startListener([receive])

function post(body: string | Buffer, type = contentType): Promise<Answer> {
  const headers = { 'content-type': type }
  return small.client.call('POST', '/receive', { headers, body: Buffer.from(body) })
}

function field(name: string, value: string): string {
  return `--XX\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
}
function file(name: string, content: string, fileName = 'blob'): string {
  return (
    `--XX\r\nContent-Disposition: form-data; name="${name}"; filename="${fileName}"\r\n` +
    `Content-Type: application/octet-stream\r\n\r\n${content}\r\n`
  )
}
const end = '--XX--\r\n'

function headOf(body: Buffer): string {
  const head = `POST /receive HTTP/1.1\r\nHost: x\r\nContent-Type: ${contentType}\r\n`
  return `${head}Content-Length: ${body.length}\r\n\r\n`
}

const multipart = suite('multipart')
multipart.after.each(() => RawConnection.destroyAll())
multipart.before.each(() => {
  isSlow = false
})

multipart('should read fields before and after the bytes', async () => {
  for (const slow of [false, true]) {
    isSlow = slow
    for (const parts of [
      [field('a', '1'), field('b', 'ü'), file('chunk', 'content')],
      [file('chunk', 'content'), field('a', '1'), field('b', 'ü')],
      [field('a', '1'), file('chunk', 'content'), field('b', 'ü')],
    ]) {
      const answer = await post(parts.join('') + end)
      assert.equal(answer.json(), { fields: { a: '1', b: 'ü' }, bytes: 7 })
      assert.is(taken.toString(), 'content')
    }
    assert.equal(before, { a: '1' }, 'of the last one')
  }
})

multipart('should read a body split at each of its bytes', async () => {
  const content = '\r\n--X\r\n--XY\r\n-- content with near boundaries \r\n--'
  const body = Buffer.from(field('a', '1') + file('chunk', content) + field('b', '2') + end)
  const head = headOf(body)
  const connection = await RawConnection.open(small.url)
  for (let at = 0; at <= body.length; at += 1) {
    await connection.send(head)
    await connection.send(body.subarray(0, at))
    // The other half is sent once the first has been parsed.
    await new Promise((resolve) => setImmediate(resolve))
    const answer = await connection.ask(body.subarray(at))
    assert.equal(answer.json().fields, { a: '1', b: '2' }, `cut at ${at}`)
    assert.is(taken.toString(), content)
  }
})

multipart('should accept exactly the limit, and answer one byte more with 413', async () => {
  for (const slow of [false, true]) {
    isSlow = slow
    const full = await post(file('chunk', 'x'.repeat(fileBytesMax)) + end)
    assert.is(full.json().bytes, fileBytesMax)
    const more = await post(file('chunk', 'x'.repeat(fileBytesMax + 1)) + end)
    assert.is(more.status, 413)
    assert.is(more.json().code, 'payload_too_large')
    assert.is(more.json().limit, fileBytesMax)
  }
})

multipart('should accept a chunk part without a file name, up to the same limit', async () => {
  const bytes = '\xe4\xff\x00\x80'
  const body = Buffer.from(field('chunk', bytes) + field('a', '1') + end, 'latin1')
  assert.equal((await post(body)).json(), { fields: { a: '1' }, bytes: 4 })
  assert.equal(taken, Buffer.from(bytes, 'latin1'))
  const full = await post(field('chunk', 'x'.repeat(fileBytesMax)) + end)
  assert.is(full.json().bytes, fileBytesMax)
  assert.is((await post(field('chunk', 'x'.repeat(fileBytesMax + 1)) + end)).status, 413)
})

multipart('should ignore unknown fields, including files', async () => {
  const more = 'y'.repeat(500_000)
  const body = field('unknown', 'x') + file('chunk', 'c') + field('other', more) + field('b', '2')
  const answer = await post(body + field('unknown', 'again') + end)
  assert.equal(answer.json(), { fields: { b: '2' }, bytes: 1 })
})

const partHeads: [head: string, hasField: boolean][] = [
  ['Content-Disposition: form-data; name=a', true],
  ['content-disposition:FORM-DATA;name="a"', true],
  ['Content-Disposition: form-data;\r\n name="a"', true],
  ['Content-Disposition: form-data; name="a"\r\nContent-Type: application/octet-stream', true],
  ['Content-Disposition: form-data; name="a"\r\nContent-Type: nonsense; charset=x', true],
  ['Content-Type: text/plain; charset="Latin1"\r\nContent-Disposition: form-data; name="a"', true],
  [`Content-Type: a/b;x=${' '.repeat(15_000)}!\r\nContent-Disposition: form-data; name="a"`, true],
  ['Content-Disposition: form-data; name="a\\"b\\\\c\\d"', false],
  ['Content-Disposition: form-data', false],
]

multipart('should accept every spelling of the headers of a part', async () => {
  for (const [head, hasField] of partHeads) {
    const answer = await post(`--XX\r\n${head}\r\n\r\n1\r\n${file('chunk', 'c')}${end}`)
    assert.equal(answer.json(), { fields: hasField ? { a: '1' } : {}, bytes: 1 }, head)
  }
})

multipart('should accept any name of the file, which nothing uses', async () => {
  const odd = ['"b"c.txt"', '"b', '', '"b\0\x01\n.txt"', '"b\r\n c"', '"b"; filename="c"']
  for (const given of [...odd, `"b"; filename*=UTF-8''%zz"`]) {
    for (const fields of [`name="chunk"; filename=${given}`, `filename = ${given}; name="chunk"`]) {
      const head = `Content-Disposition: form-data; ${fields}\r\nContent-Type: image/png`
      const answer = await post(Buffer.from(`--XX\r\n${head}\r\n\r\nc\r\n${end}`, 'latin1'))
      assert.equal([answer.status, taken.toString()], [200, 'c'], fields)
    }
  }
})

multipart('should accept parts without bytes, also without the line end before them', async () => {
  for (const chunk of [file('chunk', ''), field('chunk', '')]) {
    for (const a of [field('a', ''), field('a', '').slice(0, -2)]) {
      for (const parts of [chunk + a, a + chunk, a + chunk.slice(0, -2)]) {
        const answer = await post(parts + end)
        assert.equal(answer.json(), { fields: { a: '' }, bytes: 0 }, parts)
      }
    }
  }
})

multipart('should accept every spelling of the type and of the boundary', async () => {
  const body = file('chunk', 'c') + end
  for (const type of [
    'multipart/form-data; boundary="XX"',
    'Multipart/Form-Data;boundary=XX',
    'multipart/form-data; charset=utf-8; boundary=XX',
    'multipart/form-data ; Boundary=XX',
  ]) {
    assert.is((await post(body, type)).status, 200, type)
  }
  const preamble = `a preamble to be ignored\r\n${body}an epilogue`
  assert.is((await post(preamble)).status, 200)
})

const manyFields = Array.from({ length: 10_000 }, (_, index) => field(`f${index}`, '')).join('')
const hugeHeader = file('chunk', 'c', 'x'.repeat(100_000))
const ok = file('chunk', 'c')

function inCharset(charset: string, value: string): Buffer {
  const type = `Content-Type: text/plain; charset=${charset}\r\n\r\n`
  return Buffer.from(field('a', value).replace('\r\n\r\n', `\r\n${type}`) + ok + end, 'latin1')
}

const refusals: [what: string, body: string | Buffer, type?: string][] = [
  ['no boundary', ok + end, 'multipart/form-data'],
  ['an empty boundary', ok + end, 'multipart/form-data; boundary='],
  ['another boundary', ok + end, 'multipart/form-data; boundary=YY'],
  ['another type', ok + end, 'multipart/mixed; boundary=XX'],
  ['a type of 257 bytes', ok + end, `multipart/form-data; boundary=XX;${'x'.repeat(224)}`],
  ['a form', 'chunk=c', 'application/x-www-form-urlencoded'],
  ['a type that begins the same', ok + end, 'multipart/form-dataX; boundary=XX'],
  ['an empty body', ''],
  ['no part at all', end],
  ['no final boundary', ok],
  ['half a final boundary', `${ok}--XX-`],
  ['no chunk part', field('a', '1') + end],
  ['the chunk twice', ok + ok + end],
  ['the chunk twice, without file names', field('chunk', 'c') + field('chunk', 'c') + end],
  ['the chunk as a field and as a file', field('chunk', 'c') + ok + end],
  ['a second file', ok + file('other', 'c') + end],
  ['a field twice', ok + field('a', '1') + field('a', '2') + end],
  ['10,000 fields', manyFields + ok + end],
  ['a huge part header', hugeHeader + end],
  ['a field above 64 KiB', ok + field('a', 'x'.repeat(64 * 1024 + 1)) + end],
  ['a chunk part without a disposition', `--XX\r\nContent-Type: a/b\r\n\r\nc\r\n${end}`],
  ['a malformed part header', `--XX\r\nnonsense\r\n\r\nc\r\n${end}`],
  ['other characters behind a boundary', `${field('a', '1').replace('--XX', '--XXY')}${ok}${end}`],
  ['bytes with a boundary and other characters', file('chunk', 'a\r\n--XXb') + end],
  ['a boundary with a bare line feed', `--XX\n\nb\r\n${ok}${end}`],
  ['an empty part head', `--XX\r\n\r\nb\r\n${ok}${end}`],
  [
    'a part head that ends with a boundary that looks like a header',
    `--XX\r\nContent-Disposition: form-data; name="chunk"\r\n${field('a', '1')}${end}`.replaceAll(
      '--XX',
      '--X:',
    ),
    'multipart/form-data; boundary="X:"',
  ],
  ['a part head without a blank line', `${ok}--XX\r\nContent-Disposition: form-data\r\n${end}`],
  ['a field that is not UTF-8', Buffer.from(field('a', '\xff') + ok + end, 'latin1')],
  ['a field in an unknown encoding', inCharset('x', '1')],
  ['too many part headers', ok.replace('--XX\r\n', `--XX\r\n${'A: b\r\n'.repeat(40)}`) + end],
  ...['A : b', 'A: b\rc', 'A: \0'].map((line): [string, string] => [
    `the part header ${JSON.stringify(line)}`,
    ok.replace('--XX\r\n', `--XX\r\n${line}\r\n`) + end,
  ]),
  ...['attachment; name="a"', 'form-data; name="a', 'form-data; name="a" b', 'form-data; name="a";']
    .concat('form-data; name="a"; name="b"', 'form-data; name="a"; filename="b"c"; name="d"')
    .map((disposition): [string, string] => [
      `the disposition ${disposition}`,
      `--XX\r\nContent-Disposition: ${disposition}\r\n\r\n1\r\n${ok}${end}`,
    ]),
  ['a file behind the last boundary', `--XX--\r\n--XX--\r\n${file('chunk', 'c')}`],
]

for (const [what, body, type] of refusals) {
  multipart(`should refuse ${what}`, async () => {
    const answer = await post(body, type)
    assert.ok([400, 413].includes(answer.status), `${answer.status} ${answer.body.toString()}`)
    assert.type(answer.json().error, 'string')
    assert.type(answer.json().code, 'string')
  })
}

multipart('should treat odd field names as ordinary names', async () => {
  for (const name of ['', 'a[b]', '__proto__', '"', 'x'.repeat(5000)]) {
    const escaped = name.replaceAll('"', '\\"')
    const answer = await post(field(escaped, 'value') + ok + end)
    assert.is(answer.status, 200, name)
    assert.is(answer.json().bytes, 1)
  }
  assert.is(({} as Record<string, unknown>)['value'], undefined)
})

multipart('should refuse fields that trickle in without end', async () => {
  const head = headOf(Buffer.alloc(100_000))
  const connection = await RawConnection.open(small.url)
  await connection.send(`${head}--XX\r\nContent-Disposition: form-data; name="a"\r\n\r\n`)
  for (let count = 0; count < 100_000 && connection.unread === ''; count += 1) {
    await connection.send('x')
    // Each byte arrives in a separate read.
    await new Promise((resolve) => setImmediate(resolve))
  }
  assertError(await connection.readAnswer(), 400, 'invalid_multipart')
})

multipart('should give a clear answer to any mix of multipart pieces (property)', async () => {
  const names = ['; name="chunk"', '; name="a"', '; filename="b"', 'Content-Disposition: form-data']
  const signs = ['--XX', '\r\n', '--', '--XX--', '\r\n\r\n', 'c', '\0', '"', '\xff']
  const piece = fc.constantFrom(...names, ...signs, ok, end)
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
      const answer = await post(Buffer.from(pieces.join(''), 'latin1'))
      assert.ok([200, 400, 413].includes(answer.status), String(answer.status))
      if (answer.status !== 200) assert.type(answer.json().code, 'string')
    }),
    { numRuns: 400 },
  )
  assert.is(small.listener.watchdog.size, 0)
})
