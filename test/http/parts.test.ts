// The reader of multipart bodies beside busboy, which many services use: both must find the same
// parts in every well-formed body, however it is split.
import busboy from 'busboy'
import * as fc from 'fast-check'
import { once } from 'node:events'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parsePartHeaders } from '../../src/http/part-headers.ts'
import { MalformedParts, PartsReader } from '../../src/http/parts.ts'

interface Part {
  readonly name: string
  /** Latin-1. */
  readonly content: string
}

/** Feeds in turns of the event loop, so that pauses and pieces meet in any way. */
async function readParts(boundary: string, pieces: readonly Buffer[], pauses: boolean) {
  const parts: Part[] = []
  let open: { name: string; content: Buffer[] } | null = null
  const reader = new PartsReader(boundary, {
    open: ({ name }) => {
      assert.is(open, null, 'the part before was closed')
      if (name !== null) open = { name, content: [] }
    },
    write: (data) => {
      assert.ok(data.length > 0)
      open?.content.push(Buffer.from(data))
      if (pauses) return new Promise((resolve) => setImmediate(resolve))
    },
    close: () => {
      if (open) parts.push({ ...open, content: Buffer.concat(open.content).toString('latin1') })
      open = null
    },
  })
  for (const piece of pieces) await reader.feed(piece)
  reader.end()
  return parts
}

async function readWithBusboy(boundary: string, body: Buffer): Promise<Part[]> {
  const parser = busboy({
    headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
    defParamCharset: 'latin1',
    defCharset: 'latin1',
    preservePath: true,
  })
  const parts: Part[] = []
  parser.on('field', (name, content) => parts.push({ name, content }))
  parser.on('file', (name, stream) => {
    const content: Buffer[] = []
    const part = { name, content: '' }
    parts.push(part)
    stream.on('data', (data: Buffer) => content.push(data))
    stream.on('end', () => (part.content = Buffer.concat(content).toString('latin1')))
  })
  parser.end(body)
  await once(parser, 'close')
  return parts
}

function cut(body: Buffer, places: readonly number[]): Buffer[] {
  const edges = [0, ...places.map((place) => place % body.length), body.length].toSorted(
    (a, b) => a - b,
  )
  return edges.slice(1).map((end, index) => body.subarray(edges[index], end))
}

const parts = suite('parts')

const boundaries = ['X', 'XX', '----WebKitFormBoundary7MA4YWxkTrZu0gW', 'a--b', "0'()+_,-./:=?"]
const fileNames = [
  '',
  '; filename=""',
  '; filename="a b.txt"',
  '; filename="a\\"b.txt"',
  '; filename=plain',
  "; filename*=UTF-8''na%C3%AFve%20file.txt",
  '; filename="\xc3\xa4.txt"; filename*=UTF-8\'\'%C3%A4.txt',
]
// prettier-ignore
const moreHeaders = [
  '', 'Content-Type: application/octet-stream\r\n',
  'Content-Type: text/plain; charset=iso-8859-1\r\n', 'content-type:image/png\r\nX-Other: 1\r\n',
  'X-Folded: one\r\n two\r\n\tthree\r\n', 'Content-Transfer-Encoding: binary\r\n',
]

parts('should find the same parts as busboy (property)', async () => {
  const content = fc.array(
    fc.constantFrom('\r\n', '\r', '\n', '--', '-', 'X', 'XX', '\r\n--', '\r\n-', '\0', '\xff', ' '),
    { maxLength: 40 },
  )
  const part = fc.record({
    name: fc.constantFrom('a', 'chunk', 'a b', '\xc3\xa4', 'x\\"y', '[]', '%22'),
    fileName: fc.constantFrom(...fileNames),
    more: fc.constantFrom(...moreHeaders),
    content,
  })
  const run = fc.record({
    boundary: fc.constantFrom(...boundaries),
    list: fc.array(part, { minLength: 1, maxLength: 4 }),
    places: fc.array(fc.nat({ max: 5000 }), { maxLength: 12 }),
    pauses: fc.boolean(),
    edges: fc.constantFrom(['', ''], ['preamble\r\n', ''], ['', '\r\nepilogue\r\n--X'], ['', ' ']),
  })
  await fc.assert(
    fc.asyncProperty(run, async ({ boundary, list, places, pauses, edges }) => {
      // A delimiter cannot be part of the content (RFC 2046 section 5.1.1).
      const delimiter = `\r\n--${boundary}`
      const texts = list.map((one) => {
        const head = `Content-Disposition: form-data; name="${one.name}"${one.fileName}\r\n`
        let text = one.content.join('')
        while (`\r\n${text}\r\n`.includes(delimiter)) text = text.replaceAll('--', '-')
        return `--${boundary}\r\n${head}${one.more}\r\n${text}\r\n`
      })
      const [before, after] = edges as [string, string]
      const body = Buffer.from(`${before}${texts.join('')}--${boundary}--${after}`, 'latin1')
      const expected = await readWithBusboy(boundary, body)
      assert.is(expected.length, list.length)
      assert.equal(await readParts(boundary, cut(body, places), pauses), expected)
      const bytes = Array.from(body, (_, index) => body.subarray(index, index + 1))
      assert.equal(await readParts(boundary, bytes, false), expected)
    }),
    { numRuns: 300 },
  )
})

parts('should pass on views of the data, and no more pieces than needed', async () => {
  const content = Buffer.alloc(60_000, 'content\r\n-')
  const head = '--XX\r\nContent-Disposition: form-data; name="chunk"; filename="b"\r\n\r\n'
  const body = Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n--XX--\r\n')])
  const seen: Buffer[] = []
  const reader = new PartsReader('XX', {
    open() {},
    write: (data) => void seen.push(data),
    close() {},
  })
  void reader.feed(body)
  reader.end()
  assert.equal(
    seen.map((data) => [data.buffer === body.buffer, data.length]),
    [[true, content.length]],
  )
})

// prettier-ignore
const malformed: [what: string, body: string][] = [
  ['nothing', ''], ['no boundary', 'just text'],
  ['no last boundary', '--XX\r\nContent-Disposition: form-data; name="a"\r\n\r\nb'],
  ['half a last boundary', '--XX\r\n\r\nb\r\n--XX-'],
  ['other characters after a boundary', '--XXY\r\n\r\nb\r\n--XX--'],
  ['a boundary with a bare line feed', '--XX\n\nb\r\n--XX--'],
  ['a boundary that ends with one dash', '--XX-\r\n\r\nb\r\n--XX--'],
  ['headers without a blank line',
    '--XX\r\nContent-Disposition: form-data; name="a"\r\n--XX--\r\n\r\n'],
  ['a header without a colon', '--XX\r\nnonsense\r\n\r\nb\r\n--XX--'],
  ['a header with a blank before its colon', '--XX\r\nA : b\r\n\r\nb\r\n--XX--'],
  ['a header with a bare carriage return', '--XX\r\nA: b\rc\r\n\r\nb\r\n--XX--'],
  ['too many headers', `--XX\r\n${'A: b\r\n'.repeat(40)}\r\nb\r\n--XX--`],
  ['too long headers', `--XX\r\nA: ${'b'.repeat(20_000)}\r\n\r\nb\r\n--XX--`],
  ['endless headers', `--XX\r\nA: ${'b'.repeat(50_000)}`],
]

for (const [what, body] of malformed) {
  parts(`should refuse ${what}`, async () => {
    for (const size of [1, 7, body.length || 1]) {
      const data = Buffer.from(body)
      const count = Math.ceil(data.length / size)
      const pieces = Array.from({ length: count }, (_, n) =>
        data.subarray(n * size, (n + 1) * size),
      )
      let failure: unknown = null
      await readParts('XX', pieces, false).catch((error: unknown) => (failure = error))
      assert.instance(failure, MalformedParts)
    }
  })
}

const headerBlocks: [block: string, expected: object | null][] = [
  ['', { name: null, hasFileName: false, charset: null }],
  ['Content-Disposition: form-data; name=a', { name: 'a', hasFileName: false, charset: null }],
  ['content-disposition:FORM-DATA;name="a";filename=""', { name: 'a', hasFileName: true }],
  ['Content-Disposition: attachment; name="a"', { name: null, hasFileName: false }],
  ['Content-Disposition: form-data', { name: null, hasFileName: false }],
  ['Content-Disposition: form-data; name="a\\"b\\\\c\\d"', { name: 'a"b\\c\\d' }],
  ['Content-Disposition: form-data; name="a"; name="b"', null],
  ['Content-Disposition: form-data; name="a', null],
  ['Content-Disposition: form-data; name="a" b', null],
  ['Content-Disposition: form-data; name="a";', null],
  ['Content-Disposition: form-data;\r\n name="a"', { name: 'a' }],
  // Nothing uses a file name, so it may be anything.
  ...[
    'filename="b"c.txt"',
    'filename="b',
    'filename=',
    'filename=b c.txt',
    'filename="b\0\x01\n.txt"',
    'filename="b"; filename="c"',
    'filename="b"; filename*=UTF-8\'\'%zz"',
    'filename="b";',
    'filename = "b"',
  ].flatMap((given): [string, object][] => [
    [`Content-Disposition: form-data; name="a"; ${given}`, { name: 'a', hasFileName: true }],
  ]),
  ['Content-Disposition: form-data; filename="b"c"; name="a"', { name: 'a', hasFileName: true }],
  ['Content-Disposition: form-data; name="a"; filename="b"c"; name="d"', null],
  ['Content-Type: text/plain; charset="Latin1"', { charset: 'Latin1' }],
  ['Content-Type: nonsense; charset=x', { charset: null }],
  ['A: \0', null],
]

parts('should read the headers of a part', () => {
  for (const [block, expected] of headerBlocks) {
    const headers = parsePartHeaders(Buffer.from(block, 'latin1'))
    if (expected === null) assert.is(headers, null, block)
    else assert.equal({ ...headers, ...expected }, headers, block)
  }
})

parts.run()
