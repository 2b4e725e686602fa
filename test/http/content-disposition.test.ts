import { validateHeaderValue } from 'node:http'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { archiveDisposition, contentDisposition } from '../../src/http/content-disposition.ts'

const disposition = suite('content-disposition')

interface Parsed {
  fallback: string
  name: string
}

/** Reads the value back as a client does; throws when it has another form. */
function parse(value: string): Parsed {
  const form = /^attachment; filename="([\x20-\x7e]*)"; filename\*=UTF-8''([!#$&+.^_`|~\w%-]+)$/
  const [, fallback, encoded] = form.exec(value) ?? []
  assert.ok(fallback !== undefined && encoded !== undefined, value)
  assert.not.match(fallback, /["\\%/]/)
  return { fallback, name: decodeURIComponent(encoded) }
}

const cases: [what: string, fileName: string, fallback: string, name: string][] = [
  ['keep a plain name', 'report.pdf', 'report.pdf', 'report.pdf'],
  ['keep spaces inside', 'my report.pdf', 'my report.pdf', 'my report.pdf'],
  ['keep a leading dot', '.htaccess', '.htaccess', '.htaccess'],
  ['keep umlauts', 'Größe.txt', 'Gro_e.txt', 'Größe.txt'],
  ['keep emoji whole', '👩‍👩‍👧 x.png', '_____ x.png', '👩‍👩‍👧 x.png'],
  ['encode what RFC 8187 does not allow', `it's (1)*.txt`, `it's (1)_.txt`, `it's (1)*.txt`],
  ['replace quotes in the fallback', 'a"b.txt', 'a_b.txt', 'a"b.txt'],
  ['replace percent in the fallback', '100%41.txt', '100_41.txt', '100%41.txt'],
  ['remove line breaks', 'a\r\nSet-Cookie: x=1', 'aSet-Cookie_ x=1', 'aSet-Cookie: x=1'],
  ['remove NUL and C1 controls', 'a\0b\x85c\x7f.txt', 'abc.txt', 'abc.txt'],
  ['remove line separators', 'a\u2028b\u2029.txt', 'ab.txt', 'ab.txt'],
  ['remove direction marks', 'photo\u202Egpj.exe', 'photogpj.exe', 'photogpj.exe'],
  ['remove isolates', '\u2066a\u2069\u200F\u061C.txt', 'a.txt', 'a.txt'],
  ['replace lone surrogates', 'a\uD800b.txt', 'a_b.txt', 'a\uFFFDb.txt'],
  ['use the last segment', '../../etc/passwd', 'passwd', 'passwd'],
  ['use the last segment of a Windows path', 'C:\\dir\\x.txt', 'x.txt', 'x.txt'],
  ['use the folder when the path ends in a slash', 'a/b/', 'b', 'b'],
  ['not let a fullwidth slash become a real one', 'a／＂b.txt', 'a__b.txt', 'a／＂b.txt'],
  ['name an empty text', '', 'download', 'download'],
  ['name a text of dots', 'a/..', 'download', 'download'],
  ['name a text that cleans to dots', '.\u202E.', 'download', 'download'],
  ['name a text of slashes and controls', '/\r\n/', 'download', 'download'],
  ['return no device name', 'CON', '_CON', '_CON'],
  ['return no device name with an extension', 'a/nul.tar.gz', '_nul.tar.gz', '_nul.tar.gz'],
  ['keep a name that only begins like a device', 'console.log', 'console.log', 'console.log'],
]

for (const [what, fileName, fallback, name] of cases) {
  disposition(`should ${what}`, () => {
    assert.equal(parse(contentDisposition('attachment', fileName)), { fallback, name })
  })
}

for (const [name, archive] of [
  ['Holiday', 'Holiday.zip'],
  ['a.zip', 'a.zip'],
  ['a.ZIP', 'a.zip'],
  ['a.zip.zip', 'a.zip.zip'],
  ['a.zip ', 'a.zip'],
  ['a/b', 'a_b.zip'],
  ['..', 'files.zip'],
  ['', 'files.zip'],
  ['.zip', 'files.zip'],
  ['\u202e', 'files.zip'],
  ['CON', '_CON.zip'],
  ['Lpt1.zip', '_Lpt1.zip'],
  ['Holiday', 'Holiday.tar'],
  ['a.TAR', 'a.tar'],
  ['a.zip', 'a.zip.tar'],
  ['', 'files.tar'],
] as const) {
  disposition(`should name the archive of ${JSON.stringify(name)} ${archive}`, () => {
    const extension = archive.endsWith('tar') ? 'tar' : 'zip'
    assert.is(parse(archiveDisposition(name, extension)).name, archive)
  })
}

disposition('should write the given type', () => {
  const value = `inline; filename="a.png"; filename*=UTF-8''a.png`
  assert.is(contentDisposition('inline', 'a.png'), value)
})

disposition('should cut a long name between two characters and keep its extension', () => {
  const { name } = parse(contentDisposition('attachment', `${'ü€😀'.repeat(500)}.tar`))
  assert.ok(Buffer.byteLength(name) <= 255)
  assert.ok(Buffer.byteLength(name) > 247)
  assert.match(name, /^(ü€😀)+ü?€?\.tar$/u)
})

disposition('should cut a long name whose extension is long too', () => {
  const { name } = parse(contentDisposition('attachment', `a.${'b'.repeat(5000)}`))
  assert.is(name, `a.${'b'.repeat(253)}`)
})

disposition('should return one safe header value for any text', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }))
  const units = fc
    .array(fc.nat({ max: 0xffff }))
    .map((codes) => codes.map((code) => String.fromCharCode(code)).join(''))
  fc.assert(
    fc.property(fc.oneof(text, units), (fileName) => {
      const value = contentDisposition('attachment', fileName)
      validateHeaderValue('Content-Disposition', value)
      const { name } = parse(value)
      assert.not.match(name, /[\p{Cc}/\\\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u)
      assert.ok(Buffer.byteLength(name) <= 255)
    }),
    { numRuns: 300 },
  )
})

disposition.run()
