// Each parser of text from the network takes a few milliseconds at most for the longest text that
// may reach it, full of any kind of character in any position.
import { PassThrough } from 'node:stream'
import { suite } from 'uvu'
import * as v from 'valibot'
import { Tokens } from '../../src/accounts/sign-in/tokens.ts'
import { fitName, normalize } from '../../src/bytes/receive/file-rules.ts'
import { parseSelection } from '../../src/bytes/file-schemas.ts'
import { cleanPath } from '../../src/bytes/archive/tar/header.ts'
import { findAddresses } from '../../src/email/addresses.ts'
import { splitTarget } from '../../src/http/listener.ts'
import { createClientIp } from '../../src/http/client-ip.ts'
import {
  evaluateConditions,
  ifRangeMatches,
  parseRange,
} from '../../src/http/conditional-and-range.ts'
import { contentDisposition, findCookies, isOwnOrigin } from '../../src/http/headers.ts'
import { readMultipart, typeParameter } from '../../src/http/multipart.ts'
import { acceptsCoding, chooseLanguage, chooseLocale } from '../../src/http/negotiation.ts'
import { Router } from '../../src/http/run.ts'
import { moment } from '../../src/http/schema.ts'
import { pathParameters } from '../../src/lib/path-parameters.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { operations } from '../../src/routes.ts'
import { assertFigure } from '../helpers/figures.ts'

/** CPU time of the most expensive text; at most 1 ms for other parsers. */
const storedMs: Readonly<Record<string, number>> = {
  'name of a file': 4.8,
  NFC: 4.4,
  NFKC: 4.5,
  'email addresses': 3.4,
  'path in a tar': 1.2,
}
/** A busy machine makes some expensive; the minimum is the real cost. */
const triesMax = 20

const kinds = [
  ...' \t0aZ,;:=-/*.%"\'(<>@[{\\_?&'.split(''),
  '\u00e9',
  // Marks in the wrong order, a letter with one, and letters that become others.
  '\u0301\u0316',
  'e\u0301',
  '\ufdfa',
  '\u{1f468}\u200d',
]

/** A head has at most 16 KiB. */
const headerLength = 15_900
const fieldBytes = 64 * 1024

interface Parser {
  readonly name: string
  readonly bytesMax: number
  /** Texts with a place to fill. */
  readonly forms: readonly string[]
  readonly parse: (text: string) => unknown
}

const tokens = new Tokens({ signing: new Uint8Array(32) } as any, systemClock)
const router = new Router(operations, pathParameters)
const clientIp = createClientIp('loopback,private')
const validators = { etag: '"a"', modifiedAt: new Date(0) }

const header = (name: string, forms: string[], parse: Parser['parse']): Parser => {
  return { name, bytesMax: headerLength, forms: ['§', ...forms], parse }
}
const field = (name: string, forms: string[], parse: Parser['parse']): Parser => {
  return { name, bytesMax: fieldBytes, forms: ['§', ...forms], parse }
}

const types = ['a/b§', 'a/b;§', 'a/b;x=§!', 'a/b;x="§!', 'a/b;§=1', '§/b', 'a/b; charset=x§!']
const parsers: Parser[] = [
  header('Content-Type', types, (text) => typeParameter(text, 'charset')),
  header(
    'headers of a part',
    types.map((type) => `Content-Type: ${type}`),
    ofPart,
  ),
  header(
    'disposition of a part',
    ['', ';', ';name=', ';name="', ';n="a";', ';filename=', ';filename="', ';name=a;name="'].map(
      (start) => `Content-Disposition: form-data${start}§!`,
    ),
    ofPart,
  ),
  header('Accept-Language', ['de;q=§', 'de,§', 'de-§', 'de-u-§'], (text) => {
    return [chooseLanguage(text), chooseLocale(text, 'de')]
  }),
  header('Accept-Encoding', ['gzip;q=§', 'gzip,§'], (text) => acceptsCoding(text, 'gzip')),
  header('Authorization', ['a.§.c', '§.b.c', 'a.b.§'], (text) => tokens.read('session', text)),
  header('Cookie', ['a=§', 'a=b;§', 'a="§'], (value) => findCookies(value, 'a')),
  header('Range', ['bytes=§', 'bytes=0-§'], (text) => parseRange(text, 1000)),
  header('If-Range', ['"§'], (text) => ifRangeMatches(text, '"a"')),
  header('If-None-Match', ['"a"§', '"§', 'W/"§'], (text) => {
    return evaluateConditions({ 'if-none-match': text }, validators, 'GET')
  }),
  header('If-Modified-Since', ['Sun, §', 'Sun, 06 Nov 1994 §'], (text) => {
    return evaluateConditions({ 'if-modified-since': text }, validators, 'GET')
  }),
  header('X-Forwarded-For', ['192.0.2.1§', '192.0.2.1,§'], (text) => clientIp('::1', text)),
  header('Origin', ['http://§', 'http://a§', 'http://a:§', 'http://a/§', 'http://§@a'], (text) => {
    return isOwnOrigin(text, 'files.example', 'https://files.example')
  }),
  header('Host', ['a:§', 'a§', '[§]'], (text) => {
    return isOwnOrigin('http://files.example', text, 'https://files.example')
  }),
  header('path', ['/§', '/s/§', '/api/shares/§/files', '/%§'], (text) => router.find('GET', text)),
  header('query', ['/?§', '/?a=§', '/?a=b&§', '/?%§'], splitTarget),
  header('selection', ['1-§', '1,§'], (text) => parseSelection(text, 1000)),
  field('name of a file', ['a/§', '§.jpg', 'a.§', 'C:§', 'a§!'], fitName),
  field('path in a tar', ['a/§', '§/a'], cleanPath),
  field('name of a download', ['§.jpg', 'a.§'], (text) => {
    return contentDisposition('attachment', text.slice(0, 1024))
  }),
  field('NFC', ['a§', '§a', 'a§!'], (text) => normalize(text, 'NFC')),
  field('NFKC', ['a§', '§a', 'a§!'], (text) => normalize(text, 'NFKC')),
  field('email addresses', ['a@§', '§@a', 'a@b.example,§', '<§', '§>', '"§" <a@b>'], findAddresses),
  field('moment', ['2030-12-31T§', '2030-12-31T23:59:59.§'], (text) => v.safeParse(moment, text)),
]

function ofPart(text: string): Promise<unknown> {
  const part = Buffer.from(`--b\r\n${text}\r\n\r\n\r\n--b--`)
  const request = Object.assign(new PassThrough(), { complete: true })
  request.end(part)
  const context = {
    request,
    signal: new AbortController().signal,
    header: (name: string) => {
      return name === 'content-type' ? 'multipart/form-data; boundary=b' : undefined
    },
    startBody() {},
  }
  return readMultipart(context as any, {
    file: 'chunk',
    fileBytesMax: 1,
    fields: ['a'],
    write() {},
  })
}

async function cpuMsOf(call: () => unknown, enoughMs: number): Promise<number> {
  let least = Infinity
  for (let tries = 0; tries < triesMax && least > enoughMs; tries += 1) {
    const before = process.cpuUsage()
    try {
      await call()
    } catch {
      // Refusals are as good as results.
    }
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

const cost = suite('security: the cost of parsers')

for (const { name, bytesMax, forms, parse } of parsers) {
  cost(`should take little CPU for ${name}`, async () => {
    const stored = storedMs[name] ?? 1
    let [most, where] = [0, '']
    for (const form of forms) {
      for (const kind of kinds) {
        const count = Math.floor((bytesMax - form.length) / Buffer.byteLength(kind))
        const text = form.replace('§', () => kind.repeat(Math.max(0, count)))
        const ms = await cpuMsOf(() => parse(text), Math.max(most, stored))
        if (ms > most) [most, where] = [ms, `${form} with ${JSON.stringify(kind)}`]
      }
    }
    assertFigure(`${name}, ${where}`, most, stored, 'ms')
  })
}
