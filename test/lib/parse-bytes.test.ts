import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { formatBytes } from '../../src/lib/format-bytes.ts'
import { parseBytes } from '../../src/lib/parse-bytes.ts'

const sizes = suite('parse-bytes')

for (const [text, bytes] of [
  ['0', 0],
  ['5000', 5000],
  ['50GB', 50_000_000_000],
  ['50 gb', 50_000_000_000],
  ['50G', 50_000_000_000],
  ['500MiB', 500 * 1024 ** 2],
  ['1.5 GiB', 1.5 * 1024 ** 3],
  ['2.3kB', 2300],
  ['0.0005kB', 0],
  ['2TB', 2_000_000_000_000],
  ['7B', 7],
  ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ['9007199254740992', null],
  ['99999TB', null],
  ['', null],
  ['GB', null],
  ['5 pounds', null],
  ['5iB', null],
  ['-5', null],
  ['1e3', null],
  ['1,5GB', null],
  ['5GB 5', null],
] as const) {
  sizes(`should read ${JSON.stringify(text)} as ${bytes === null ? 'no size' : bytes}`, () => {
    assert.is(parseBytes(text), bytes)
  })
}

sizes('should read what formatBytes writes, within its rounding', () => {
  for (let bytes = 1; bytes < Number.MAX_SAFE_INTEGER / 3; bytes = bytes * 3 + 1) {
    const read = parseBytes(formatBytes(bytes)) ?? Number.NaN
    assert.ok(Math.abs(read - bytes) <= bytes * 0.05, `${bytes} became ${read}`)
  }
})

sizes.run()
