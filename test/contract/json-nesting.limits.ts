// Lists may have bodies of 64 MiB, so the memory for one value must be bounded: 64 MiB of `[` would
// otherwise take gigabytes.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Client } from '../helpers/client.ts'
import { startService, type Service } from '../helpers/service.ts'
import { assertError } from './shapes.ts'

const nesting = suite('contract: JSON nesting')
const mebibyte = 1024 * 1024
let service: Service
let owner: Client

nesting.before(async () => {
  service = await startService()
  owner = await service.admin()
})
nesting.after(async () => {
  await owner.close()
  await service.stop()
})

const bodies: [what: string, before: string, repeated: string, after: string][] = [
  ['deep below an unknown key', '{"x":', '[', ''],
  ['wide below an unknown key', '{"x":[[]', ',[]', '],"files":[]}'],
  ['deep in an item', '{"files":[{"x":', '{"a":', ''],
  ['wide in an item', '{"files":[{"x":[[]', ',[]', ']}]}'],
  ['many unknown keys', '{"a":1', ',"k":[]', ',"files":"no list"}'],
]

for (const [what, before, repeated, after] of bodies) {
  nesting(`should refuse or ignore a value that is ${what}, within little memory`, async () => {
    const path = `/api/shares/${await owner.init()}/finalize`
    const repeats = Math.floor(((repeated.length > 1 ? 8 : 3) * mebibyte) / repeated.length)
    const body = `${before}${repeated.repeat(repeats)}${after}`
    global.gc?.()
    const heapBefore = process.memoryUsage().heapUsed
    let heapMost = 0
    const sampler = setInterval(() => {
      heapMost = Math.max(heapMost, process.memoryUsage().heapUsed)
    }, 5)
    try {
      const answer = await owner.call('POST', path, { body })
      heapMost = Math.max(heapMost, process.memoryUsage().heapUsed)
      assert.ok([200, 400, 413].includes(answer.status), answer.body.toString().slice(0, 300))
    } finally {
      clearInterval(sampler)
    }
    // A bound that 3 MiB of unlimited nesting exceeds many times over (about 900 MiB).
    assert.ok(heapMost - heapBefore < 200 * mebibyte, `${heapMost - heapBefore} bytes more`)
  })
}

const nested = (levels: number) => '[{"a":'.repeat(levels / 2) + '1' + '}]'.repeat(levels / 2)

/** Operations with a body, with the fields they need beside the value `x` in it. */
const takers: [method: string, path: string, before: string][] = [
  ['PUT', '/api/config', ''],
  ['POST', '/api/shares/init', ''],
  ['POST', '/api/reverse', ''],
  ['POST', '/api/shares/<share>/finalize', '"files":[],'],
]

for (const [method, path, before] of takers) {
  nesting(`should accept 64 levels of a body, and no more: ${method} ${path}`, async () => {
    const share = await owner.init()
    const send = (value: string) =>
      owner.call(method, path.replace('<share>', share), {
        body: `{${before}"x":${value}}`,
        headers: { 'content-type': 'application/json' },
      })
    assertError(await send(nested(4000)), 400, 'invalid_json')
    assertError(await send(nested(64)), 400, 'invalid_json')
    assertError(await send(`[${nested(64)}]`), 400, 'invalid_json')
    const fits = await send(`[${nested(62)}]`)
    assert.is(fits.status, 200, fits.body.toString())
    const words = JSON.stringify('["\\{[\\"'.repeat(100))
    assert.is((await send(words)).status, 200, 'brackets in strings are no levels')
  })
}

nesting('should count the levels of a list body that arrives in pieces', async () => {
  const path = `/api/shares/${await owner.init()}/finalize`
  const text = Buffer.from(`{"x":${nested(64)},"files":[]}`)
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let at = 0; at < text.length; at += 7) yield text.subarray(at, at + 7)
  }
  const headers = { 'content-type': 'application/json' }
  assertError(await owner.call('POST', path, { body: pieces(), headers }), 400, 'invalid_json')
})

nesting('should refuse or ignore deep nesting in an ordinary body', async () => {
  const deep = `{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  const answer = await owner.call('POST', '/api/shares/init', { body: deep })
  assert.ok([200, 400].includes(answer.status), String(answer.status))
  assertError(await owner.call('POST', '/api/shares/init', { body: '['.repeat(200_000) }), 400)
  assert.is((await owner.get('/api/shares')).status, 200)
})

nesting.run()
