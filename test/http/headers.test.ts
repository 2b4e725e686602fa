import * as fc from 'fast-check'
import { validateHeaderName, validateHeaderValue } from 'node:http'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  archiveDisposition,
  contentDisposition,
  Cookies,
  findCookies,
  isOwnOrigin,
} from '../../src/http/headers.ts'
import {
  apiHeaders,
  downloadHeaders,
  pageHeaders,
  runsScripts,
} from '../../src/http/security-headers.ts'

const cookies = suite('cookies')

// oxfmt-ignore
const findCases: [header: string | undefined, expected: string[]][] = [
  [undefined, []], ['', []], ['a=1', ['1']], ['b=2; a=1; c=3', ['1']], ['b=2;a=1;', ['1']],
  [' b = 2 ;\ta\t=\t1', ['1']], ['a=', ['']], ['a="1"', ['1']], ['a=""', ['']],
  ['a=b=c==', ['b=c==']], ['a=%41', ['%41']], ['a=1; b=3; a=2', ['1', '2']],
  ['a=1; a=2; a=3; a=4; a=5', ['1', '2', '3', '4']], ['a; a=2', ['2']], ['=1; a=2', ['2']],
  ['a b=1; a=2', ['2']], ['ä=1; a=2', ['2']], ['a=1 2; a=2', ['2']], ['b="1; a=2', ['2']],
  ['a="; a=2', ['2']], ['a=1"2; a=2', ['2']], ['a=1,2; a=2', ['2']], ['a=\\1; a=2', ['2']],
  ['a=\x7f; a=2', ['2']], ['a=é; a=2', ['2']], ['A=1; aa=2; xa=3', []],

]

cookies('should be found by name, among any number of others', () => {
  for (const [header, expected] of findCases) {
    assert.equal(findCookies(header, 'a'), expected, header)
  }
  const header = Array.from({ length: 10_000 }, (_, index) => `c${index}=${index}`).join('; ')
  assert.equal(findCookies(header, 'c0'), ['0'])
  assert.equal(findCookies(header, 'c9999'), ['9999'])
})

cookies('should have names of this instance, with the prefix that the address allows', () => {
  for (const [baseUrl, name, path] of [
    ['http://a.test', 'transfer_session_k', '/'],
    ['https://a.test', '__Host-transfer_session_k', '/'],
    ['https://a.test/files', '__Secure-transfer_session_k', '/files/'],
  ] as const) {
    const own = new Cookies({ baseUrl, tag: 'k' })
    const line = own.set('session', 'v', { lifeMs: 5000 })
    const isSecure = baseUrl.startsWith('https:') ? '; Secure' : ''
    assert.is(line, `${name}=v; Path=${path}; Max-Age=5; HttpOnly; SameSite=Lax${isSecure}`)
    assert.match(
      own.clear('session'),
      `${name}=; Path=${path}; Max-Age=0; Expires=Thu, 01 Jan 1970`,
    )
    assert.equal(own.find(line, 'session'), ['v'])
    assert.equal(own.find(line, 'device'), [])
    assert.equal(new Cookies({ baseUrl, tag: 'l' }).find(line, 'session'), [])
  }
})

const disposition = suite('content-disposition')

/** Reads the value back as a client does; throws when it has another form. */
function parse(value: string): { fallback: string; name: string } {
  const form = /^attachment; filename="([\x20-\x7e]*)"; filename\*=UTF-8''([!#$&+.^_`|~\w%-]+)$/
  const [, fallback, encoded] = form.exec(value) ?? []
  assert.ok(fallback !== undefined && encoded !== undefined, value)
  assert.not.match(fallback, /["\\%/]/)
  return { fallback, name: decodeURIComponent(encoded) }
}

// oxfmt-ignore
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

// oxfmt-ignore
const archives: [name: string, archive: string][] = [
  ['Holiday', 'Holiday.zip'], ['a.zip', 'a.zip'], ['a.ZIP', 'a.zip'], ['a.zip.zip', 'a.zip.zip'],
  ['a.zip ', 'a.zip'], ['a/b', 'a_b.zip'], ['..', 'files.zip'], ['', 'files.zip'],
  ['.zip', 'files.zip'], ['\u202e', 'files.zip'], ['CON', '_CON.zip'], ['Lpt1.zip', '_Lpt1.zip'],
  ['Holiday', 'Holiday.tar'], ['a.TAR', 'a.tar'], ['a.zip', 'a.zip.tar'], ['', 'files.tar'],
]
disposition('should name archives', () => {
  for (const [name, archive] of archives) {
    const extension = archive.endsWith('tar') ? 'tar' : 'zip'
    assert.is(parse(archiveDisposition(name, extension)).name, archive)
  }
})

disposition('should cut a long name between two characters and keep its extension', () => {
  const { name } = parse(contentDisposition('attachment', `${'ü€😀'.repeat(500)}.tar`))
  assert.ok(Buffer.byteLength(name) <= 255)
  assert.ok(Buffer.byteLength(name) > 247)
  assert.match(name, /^(ü€😀)+ü?€?\.tar$/u)
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

const headers = suite('security-headers')

const kinds = { apiHeaders, pageHeaders, downloadHeaders }

for (const [name, kind] of Object.entries(kinds)) {
  headers(`should send valid, frozen headers from ${name}, and HSTS on https only`, () => {
    for (const https of [false, true]) {
      const made = kind(https)
      assert.ok(Object.isFrozen(made))
      for (const [field, value] of Object.entries(made)) {
        validateHeaderName(field)
        validateHeaderValue(field, value)
      }
      assert.is(made['X-Content-Type-Options'], 'nosniff')
      assert.is(made['Referrer-Policy'], 'no-referrer')
      assert.is(made['Cross-Origin-Resource-Policy'], 'same-origin')
    }
    assert.not.ok('Strict-Transport-Security' in kind(false))
    assert.match(kind(true)['Strict-Transport-Security'] ?? '', /^max-age=\d{8}$/)
  })
}

headers('should forbid storing, framing and running API answers', () => {
  assert.is(apiHeaders(false)['Cache-Control'], 'no-store')
  const policy = "default-src 'none'; frame-ancestors 'none'"
  assert.is(apiHeaders(false)['Content-Security-Policy'], policy)
})

headers('should allow pages only our own files, and scripts that carry the nonce', () => {
  const policy = runsScripts(pageHeaders(false), 'abc')['Content-Security-Policy'] ?? ''
  const directives = policy.split('; ')
  const wanted = [
    "default-src 'none'",
    "script-src 'nonce-abc'",
    "style-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]
  for (const directive of wanted) assert.ok(directives.includes(directive), directive)
  assert.not.match(policy, /unsafe|\*|https?:/)
  assert.not.match(pageHeaders(false)['Content-Security-Policy'] ?? '', 'script-src')
})

const origins = suite('own origin')
const ownOrigin = 'https://files.example'

const own: [origin: string, host: string | undefined][] = [
  ['http://files.lan', 'files.lan'],
  ['http://files.lan', 'files.lan:80'],
  ['http://files.lan:80', 'files.lan'],
  ['http://files.lan', 'FILES.lan'],
  ['https://files.lan', 'files.lan:443'],
  ['http://files.lan:8080', 'files.lan:8080'],
  ['http://[::1]:8080', '[0::1]:8080'],
  // The host that a proxy has put in place of the client's.
  ['https://files.example', '127.0.0.1:8080'],
  ['https://FILES.example:443', 'files.example:8443'],
  ['https://files.example', undefined],
]
// oxfmt-ignore
const foreign: [origin: string, host: string | undefined][] = [
  ['http://files.lan', 'files.lan:8080'], ['http://files.lan:8080', 'files.lan'],
  ['https://files.lan', 'files.lan:80'], ['http://evil.example', 'files.lan'],
  ['http://files.lan.evil.example', 'files.lan'], ['http://files.example', '127.0.0.1'],
  ['null', 'null'], ['', ''], ['file://files.lan', 'files.lan'],
  ['http://evil.example', 'evil.example/@files.lan'], ['http://files.lan', 'a@files.lan'],
  ['http://files.lan', undefined], [`http://${'a'.repeat(600)}`, 'a'.repeat(600)],
]

origins('should be told from those of other sites', () => {
  for (const [origin, host] of own) assert.ok(isOwnOrigin(origin, host, ownOrigin), origin)
  for (const [origin, host] of foreign) assert.not(isOwnOrigin(origin, host, ownOrigin), origin)
})
