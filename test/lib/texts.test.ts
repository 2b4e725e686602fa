import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { pages } from '../../src/i18n/en/pages.ts'
import { formatBytes, parseBytes } from '../../src/lib/sizes.ts'
import { normalize } from '../../src/bytes/receive/file-rules.ts'
import { parseUrl } from '../../src/lib/base-path.ts'
import { encodingOf, type TextEncoding } from '../../src/bytes/send/downloads.ts'
import { TextSet } from '../../src/bytes/archive/text-set.ts'

const forms = suite('normalize')

// oxfmt-ignore
const spelled = [
  '', 'a\u0308', '\u1100\u1161\u11a8', 'e\u0323\u0301', '\u0344', '\ufdfa', '\ud83d\ude00',
]

for (const form of ['NFC', 'NFD', 'NFKC'] as const) {
  forms(`should give the same ${form} as the runtime for short and long texts`, () => {
    for (const text of spelled) {
      for (const count of [1, 1000]) {
        const long = text.repeat(text === '\u0344' ? 1 : count)
        assert.is(normalize(long, form), long.normalize(form))
      }
    }
  })
}

forms('should keep the order of marks behind the first 32 of a character', () => {
  const sorted = `a${'\u0316'.repeat(640)}${'\u0301'.repeat(640)}`
  const given = `a${'\u0301'.repeat(640)}${'\u0316'.repeat(640)}`
  assert.is(given.normalize('NFD'), sorted)
  assert.is(normalize(given, 'NFD'), given)
})

const sizes = suite('parse-bytes')

// oxfmt-ignore
const written: [text: string, bytes: number | null][] = [
  ['0', 0], ['5000', 5000], ['50GB', 5e10], ['50 gb', 5e10], ['50G', 5e10],
  ['500MiB', 500 * 1024 ** 2], ['1.5 GiB', 1.5 * 1024 ** 3], ['2.3kB', 2300], ['0.0', 0], ['1.5', 1],
  ['2TB', 2e12], ['7B', 7], ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ...['9007199254740992', '99999TB', '', 'GB', '5 pounds', '5iB', '-5', '1e3', '1,5GB', '5GB 5', '0.5',
    '0.0005kB']
    .map((text): [string, null] => [text, null]),
]
sizes('should read sizes with and without units, and nothing else', () => {
  for (const [text, bytes] of written) assert.is(parseBytes(text), bytes, text)
})

sizes('should read what formatBytes writes, within its rounding', () => {
  for (let bytes = 1; bytes < Number.MAX_SAFE_INTEGER / 3; bytes = bytes * 3 + 1) {
    const read = parseBytes(formatBytes(bytes)) ?? Number.NaN
    assert.ok(Math.abs(read - bytes) <= bytes * 0.05, `${bytes} became ${read}`)
  }
})

const counted = suite('texts of pages')

counted('should call one more file a file', () => {
  assert.is(pages.share.more(1), 'and 1 more file, in the ZIP')
  assert.is(pages.share.more(1200), 'and 1,200 more files, in the ZIP')
})

const urls = suite('parse-url')

urls('should read a URL, or nothing', () => {
  for (const [text, href] of [
    ['https://example.org', 'https://example.org/'],
    ['https://bücher.example/ä', 'https://xn--bcher-kva.example/%C3%A4'],
    ['postgres://user:password@host/database', 'postgres://user:password@host/database'],
    ['//example.org', null],
    ['https://', null],
  ] as const) {
    assert.is(parseUrl(text)?.href ?? null, href)
  }
})

urls('should read letters outside of ASCII the same, however often', () => {
  let unread = 0
  for (let round = 0; round < 50_000; round += 1) {
    if (!parseUrl('https://bücher.example/')) unread += 1
  }
  assert.is(unread, 0)
})

const encodings = suite('text encodings')

const encoded: [title: string, bytes: Buffer, isWhole: boolean, encoding: TextEncoding][] = [
  ['nothing', Buffer.alloc(0), true, 'utf-8'],
  ['ASCII', Buffer.from('hello'), true, 'utf-8'],
  ['UTF-8', Buffer.from('grün €'), true, 'utf-8'],
  ['UTF-8 with a mark', Buffer.from('\ufeffgrün'), true, 'utf-8'],
  ['the start of a character', Buffer.from('grün €').subarray(0, -1), false, 'utf-8'],
  ['a broken end', Buffer.from('caf\u00e9', 'latin1'), true, 'windows-1252'],
  ['Windows-1252', Buffer.from('gr\u00fcn und blau', 'latin1'), false, 'windows-1252'],
  ['UTF-16 of Windows', Buffer.from('\ufeffgrün', 'utf16le'), true, 'utf-16le'],
  ['UTF-16 of old Macs', Buffer.from('\ufeffgrün', 'utf16le').swap16(), true, 'utf-16be'],
]

for (const [title, bytes, isWhole, encoding] of encoded) {
  encodings(`should recognise ${title}`, () => {
    assert.is(encodingOf(bytes, isWhole), encoding)
    if (isWhole) assert.not.match(new TextDecoder(encoding).decode(bytes), '\ufffd')
  })
}

const sets = suite('TextSet')

sets('should distinguish very many similar texts', () => {
  const set = new TextSet()
  for (let number = 0; number < 200_000; number += 1) assert.ok(set.add(`files/${number}.jpg`))
  assert.not(set.add('files/7.jpg'))
  for (let number = 0; number < 200_000; number += 1) {
    if (!set.has(`files/${number}.jpg`)) assert.unreachable(`${number} is missing`)
    if (set.has(`files/${number}.png`)) assert.unreachable(`${number} was never added`)
  }
})
