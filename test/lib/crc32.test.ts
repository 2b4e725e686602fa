import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { crc32 as expected } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { crc32 } from '../../src/lib/crc32.ts'
import { randomContent } from '../helpers/content.ts'

const crc = suite('crc32')

crc('should be that of node:zlib, also over parts and slices', () => {
  const data = randomContent(300_001, 1)
  for (const length of [0, 1, 7, 64, 4096, 300_000]) {
    for (const start of [0, 1, 3]) {
      const part = data.subarray(start, start + length)
      assert.is(crc32(part), expected(part))
      const middle = Math.floor(part.length / 3)
      assert.is(crc32(part.subarray(middle), crc32(part.subarray(0, middle))), expected(part))
    }
  }
})

crc('should be calculated, and say so once, where the library has no binary', () => {
  const built = path.join(import.meta.dirname, '../../src/lib/crc32.js')
  const program = `
    import module from 'node:module'
    const resolve = module._resolveFilename
    module._resolveFilename = (name, ...rest) => {
      if (name.includes('crc32-linux')) throw new Error('no binary')
      return resolve(name, ...rest)
    }
    const { crc32: sum } = await import(${JSON.stringify(pathToFileURL(built).href)})
    console.log(sum(Buffer.from('123456789')), sum(Buffer.from('789'), sum(Buffer.from('123456'))))`
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', program],
    { encoding: 'utf8', timeout: 30_000 },
  )
  assert.is(stdout.trim(), '3421780262 3421780262')
  assert.is(stderr.match(/@node-rs\/crc32 could not be loaded/g)?.length, 1)
})

crc.run()
