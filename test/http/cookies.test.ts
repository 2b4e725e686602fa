import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseCookies, serializeCookie } from '../../src/http/cookies.ts'
import type { CookieOptions } from '../../src/http/cookies.ts'

const cookies = suite('cookies')

const parseCases: [header: string | undefined, expected: Record<string, string>][] = [
  [undefined, {}],
  ['', {}],
  ['a=1', { a: '1' }],
  ['a=1; b=2', { a: '1', b: '2' }],
  ['a=1;b=2;', { a: '1', b: '2' }],
  [' a = 1 ;\tb\t=\t2', { a: '1', b: '2' }],
  ['a=', { a: '' }],
  ['a="1"', { a: '1' }],
  ['a=""', { a: '' }],
  ['a=b=c==', { a: 'b=c==' }],
  ['a=%41', { a: '%41' }],
  // Of two with one name the first wins.
  ['a=1; a=2', { a: '1' }],
  // Malformed ones are skipped, without affecting others.
  ['a; b=2', { b: '2' }],
  ['=1; b=2', { b: '2' }],
  ['a b=1; b=2', { b: '2' }],
  ['ä=1; b=2', { b: '2' }],
  ['a=1 2; b=2', { b: '2' }],
  ['a="1; b=2', { b: '2' }],
  ['a="; b=2', { b: '2' }],
  ['a=1"2; b=2', { b: '2' }],
  ['a=1,2; b=2', { b: '2' }],
  ['a=\\1; b=2', { b: '2' }],
  ['a=\x7f; b=2', { b: '2' }],
  ['a=é; b=2', { b: '2' }],
  // Names are case-sensitive.
  ['__host-session=1; __Host-session=2', { '__host-session': '1', '__Host-session': '2' }],
  ['__proto__=1; constructor=2', { ['__proto__']: '1', constructor: '2' }],
]

for (const [header, expected] of parseCases) {
  cookies(`should read ${JSON.stringify(header)}`, () => {
    assert.equal([...parseCookies(header)], Object.entries(expected))
  })
}

cookies('should read at most 50 cookies', () => {
  const header = Array.from({ length: 10_000 }, (_, index) => `c${index}=${index}`).join('; ')
  const parsed = parseCookies(header)
  assert.is(parsed.size, 50)
  assert.is(parsed.get('c49'), '49')
})

cookies('should read any text without throwing', () => {
  fc.assert(fc.property(fc.string(), (text) => parseCookies(text).size <= 50))
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
      assert.is(parseCookies(pair).get('a'), written)
    }),
  )
})

cookies.run()
