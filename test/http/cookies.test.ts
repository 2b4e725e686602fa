import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Cookies, findCookies, serializeCookie } from '../../src/http/cookies.ts'
import type { CookieOptions } from '../../src/http/cookies.ts'

const cookies = suite('cookies')

const findCases: [header: string | undefined, expected: string[]][] = [
  [undefined, []],
  ['', []],
  ['a=1', ['1']],
  ['b=2; a=1; c=3', ['1']],
  ['b=2;a=1;', ['1']],
  [' b = 2 ;\ta\t=\t1', ['1']],
  ['a=', ['']],
  ['a="1"', ['1']],
  ['a=""', ['']],
  ['a=b=c==', ['b=c==']],
  ['a=%41', ['%41']],
  // Programs of one host set a name for different paths; the longest path comes first.
  ['a=1; b=3; a=2', ['1', '2']],
  ['a=1; a=2; a=3; a=4; a=5', ['1', '2', '3', '4']],
  // Malformed ones are skipped, without affecting others.
  ['a; a=2', ['2']],
  ['=1; a=2', ['2']],
  ['a b=1; a=2', ['2']],
  ['ä=1; a=2', ['2']],
  ['a=1 2; a=2', ['2']],
  ['b="1; a=2', ['2']],
  ['a="; a=2', ['2']],
  ['a=1"2; a=2', ['2']],
  ['a=1,2; a=2', ['2']],
  ['a=\\1; a=2', ['2']],
  ['a=\x7f; a=2', ['2']],
  ['a=é; a=2', ['2']],
  ['A=1; aa=2; xa=3', []],
]

for (const [header, expected] of findCases) {
  cookies(`should find a in ${JSON.stringify(header)}`, () => {
    assert.equal(findCookies(header, 'a'), expected)
  })
}

cookies('should find a cookie among any number of others', () => {
  const header = Array.from({ length: 10_000 }, (_, index) => `c${index}=${index}`).join('; ')
  assert.equal(findCookies(header, 'c0'), ['0'])
  assert.equal(findCookies(header, 'c9999'), ['9999'])
})

cookies('should read any text without throwing', () => {
  fc.assert(fc.property(fc.string(), (text) => findCookies(text, 'a').length <= 4))
})

const serializeCases: [name: string, value: string, options: CookieOptions, expected: string][] = [
  ['session', 'abc', {}, 'session=abc; Path=/; HttpOnly; SameSite=Lax'],
  ['a', '', {}, 'a=; Path=/; HttpOnly; SameSite=Lax'],
  [
    '__Host-session',
    'a.b-c_d',
    { maxAgeSeconds: 3600, secure: true, sameSite: 'Strict' },
    '__Host-session=a.b-c_d; Path=/; Max-Age=3600; HttpOnly; SameSite=Strict; Secure',
  ],
  ['a', '1', { path: '/api/x', httpOnly: false }, 'a=1; Path=/api/x; SameSite=Lax'],
  [
    'a',
    '',
    { maxAgeSeconds: 0 },
    'a=; Path=/; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax',
  ],
]

for (const [name, value, options, expected] of serializeCases) {
  cookies(`should write ${expected}`, () => {
    assert.is(serializeCookie(name, value, options), expected)
  })
}

const refusedCases: [name: string, value: string, options: CookieOptions, problem: RegExp][] = [
  ['', '1', {}, /name/],
  ['a b', '1', {}, /name/],
  ['a=b', '1', {}, /name/],
  ['a;b', '1', {}, /name/],
  ['a\r\n', '1', {}, /name/],
  ['a', '1; Domain=x', {}, /value/],
  ['a', '1\r\nX: y', {}, /value/],
  ['a', '1\n', {}, /value/],
  ['a', 'ü', {}, /value/],
  ['a', '"1"', {}, /value/],
  ['a', 'x'.repeat(4096), {}, /4096/],
  ['a', '1', { maxAgeSeconds: -1 }, /maxAgeSeconds/],
  ['a', '1', { maxAgeSeconds: 1.5 }, /maxAgeSeconds/],
  ['a', '1', { maxAgeSeconds: Infinity }, /maxAgeSeconds/],
  ['a', '1', { path: '' }, /path/],
  ['a', '1', { path: 'x' }, /path/],
  ['a', '1', { path: '/; Domain=x' }, /path/],
  ['a', '1', { path: '/\r\n' }, /path/],
  ['a', '1', { sameSite: 'None' }, /Secure/],
  ['__Host-a', '1', {}, /Secure/],
  ['__Secure-a', '1', {}, /Secure/],
  ['__Host-a', '1', { secure: true, path: '/api' }, /path/],
]

for (const [name, value, options, problem] of refusedCases) {
  const shown = JSON.stringify([name, value.slice(0, 20), options])
  cookies(`should refuse to write ${shown}`, () => {
    assert.throws(() => serializeCookie(name, value, options), problem)
  })
}

cookies('should not repeat a refused value in the message', () => {
  assert.throws(
    () => serializeCookie('a', 'secret value'),
    (error: Error) => !error.message.includes('secret'),
  )
})

cookies('should read back what it wrote', () => {
  const value = fc.stringMatching(/^[A-Za-z0-9._~+/=-]{0,100}$/)
  fc.assert(
    fc.property(value, (written) => {
      const [pair = ''] = serializeCookie('a', written).split(';')
      assert.equal(findCookies(pair, 'a'), [written])
    }),
  )
})

cookies('should have names of this instance, with the prefix that the address allows', () => {
  for (const [baseUrl, name, path] of [
    ['http://a.test', 'transfer_session_k', '/'],
    ['https://a.test', '__Host-transfer_session_k', '/'],
    ['https://a.test/files', '__Secure-transfer_session_k', '/files/'],
  ] as const) {
    const own = new Cookies({ baseUrl, tag: 'k' })
    const line = own.set('session', 'v', { lifeMs: 5000 })
    assert.match(line, `${name}=v; Path=${path}; Max-Age=5;`)
    assert.match(own.clear('session'), `${name}=; Path=${path}; Max-Age=0;`)
    assert.equal(own.find(line, 'session'), ['v'])
    assert.equal(own.find(line, 'device'), [])
    assert.equal(new Cookies({ baseUrl, tag: 'l' }).find(line, 'session'), [])
  }
})

cookies.run()
