import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fitName } from '../../../src/bytes/receive/file-rules.ts'
import { EntryNames } from '../../../src/bytes/archive/names.ts'

const names = suite('uploads: file names')

const grapheme = `a${'\u0301'.repeat(200)}`
const tables: [given: string, kept: string][] = [
  ['photos\\beach.jpg', 'photos/beach.jpg'],
  ['\\\\host\\share\\a.txt', 'host/share/a.txt'],
  ['C:\\Users\\Ada\\a.txt', 'Users/Ada/a.txt'],
  ['c:/a.txt', 'a.txt'],
  ['C:a.txt', 'C_a.txt'],
  ['\u212a:/a.txt', 'a.txt'],
  ['/etc/passwd', 'etc/passwd'],
  ['a//b/', 'a/b'],
  ['./a/./b', 'a/b'],
  ['a/../b', 'b'],
  ['a/b/../../c/d', 'c/d'],
  ['a/../C:b', 'C_b'],
  ['a\nb\0c\u0085.txt', 'abc.txt'],
  ['half\ud800.txt', 'half\ufffd.txt'],
  ['a/\u202e\u200f/b', 'a/b'],
  ['u\u0308.txt', 'ü.txt'],
  [`${'x'.repeat(300)}.jpeg`, `${'x'.repeat(250)}.jpeg`],
  [`${'ü'.repeat(200)}.tar.gz`, `${'ü'.repeat(124)}.tar.gz`],
  [`${'x'.repeat(256)}/a`, `${'x'.repeat(255)}/a`],
  [`${'\u202e'.repeat(300)}a.txt`, 'a.txt'],
  [`${grapheme}.txt`, `á${'\u0301'.repeat(124)}.txt`],
  [`..${'\u0301'.repeat(200)}`, '_'],
  ['a/'.repeat(2048) + 'b', 'a/'.repeat(2047) + 'b'],
  ['x'.repeat(90_000), 'x'.repeat(255)],
  ['a/ /b', 'a/b'],
  [' a', ' a'],
  ['.env', '.env'],
  ['...', '...'],
]

for (const [given, kept] of tables) {
  const show = (text: string) => JSON.stringify(text).slice(0, 40)
  names(`should turn ${show(given)} into ${show(kept)}`, () => {
    assert.equal(fitName(given), { name: kept, isRenamed: kept !== given.normalize('NFC') })
  })
}

for (const given of [' ', '\t \u00a0', '\u200b', '\u3164', ' / ', '\u2800']) {
  names(`should find no name in ${JSON.stringify(given)}`, () => {
    assert.type(fitName(given), 'string')
  })
}

/** Everything with a meaning in a path, and much without. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.string({ unit: 'grapheme', maxLength: 400 }),
  fc
    .array(
      fc.oneof(
        fc.constantFrom('/', '\\', '..', '.', 'C:', '\0', '\u202e', '\ud800', '\u0301', 'ü', ' '),
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }),
        fc.constantFrom('.tar.gz', '.pdf', 'x'.repeat(260), '😀'.repeat(90), '\u212a:'),
      ),
      { minLength: 1, maxLength: 40 },
    )
    .map((parts) => parts.join('')),
)

const invisible = /^[\p{Z}\s\p{Cf}\u115f\u1160\u2800\u3164\uffa0]*$/u

/** Whether a path leads outside, or to nothing, by the folders entered and left. */
function leadsNowhere(given: string): boolean {
  let depth = 0
  const clean = given
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '')
    .normalize('NFC')
  const path = clean.replaceAll('\\', '/').replace(/^\/*[A-Za-z]:(?=\/|$)/, '')
  for (const part of path.split('/')) {
    if (part === '..') depth -= 1
    else if (part !== '.' && !invisible.test(part)) depth += 1
    if (depth < 0) return true
  }
  return depth === 0
}

names('should make any text a name that leads neither outside nor to nothing', () => {
  fc.assert(
    fc.property(text, (given) => {
      const fitted = fitName(given)
      assert.is(typeof fitted === 'string', leadsNowhere(given))
      if (typeof fitted === 'string') return
      const { name } = fitted
      assert.ok(name.isWellFormed() && name.length > 0 && name.length <= 4096)
      assert.is(name.normalize('NFC'), name)
      assert.not.match(name, /\p{Cc}|\\|^\/|^[A-Za-z]:/u)
      for (const part of name.split('/')) {
        assert.ok(Buffer.byteLength(part) <= 255)
        assert.not.ok(['', '.', '..'].includes(part))
        assert.not.match(part, invisible)
      }
      assert.equal(fitName(name), { name, isRenamed: false }, 'a second pass changes nothing')
      assert.ok(new EntryNames().assign(name).length > 0)
    }),
    { numRuns: 2000 },
  )
})
