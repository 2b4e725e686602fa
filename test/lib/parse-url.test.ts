import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseUrl } from '../../src/lib/parse-url.ts'

const urls = suite('parse-url')

for (const [text, href] of [
  ['https://example.org', 'https://example.org/'],
  ['https://bücher.example/ä', 'https://xn--bcher-kva.example/%C3%A4'],
  ['postgres://user:password@host/database', 'postgres://user:password@host/database'],
  ['//example.org', null],
  ['https://', null],
  ['', null],
] as const) {
  urls(`should read ${JSON.stringify(text)}`, () => {
    assert.is(parseUrl(text)?.href ?? null, href)
  })
}

urls('should read letters outside of ASCII the same, however often', () => {
  let unread = 0
  for (let round = 0; round < 50_000; round += 1) {
    if (!parseUrl('https://bücher.example/')) unread += 1
  }
  assert.is(unread, 0)
})

urls.run()
