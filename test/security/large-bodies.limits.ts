// Many large bodies at once. See security.md, part 1: the id is the suite's name.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startService } from '../helpers/service.ts'

const bodies = suite('security: CVE-2026-30955')

const service = await startService({ env: { RATE_LIMIT_LOGIN: 'off' } })
const anonymous = service.client()
bodies.after(() => service.stop())

bodies('should not hold many simultaneous large bodies in memory', async () => {
  const body = Buffer.from(`{"email":"${'x'.repeat(4 * 1024 * 1024)}"}`)
  const send = (path: string) => async () => {
    const answer = await anonymous.call('POST', path, { body })
    assert.ok([401, 413].includes(answer.status), String(answer.status))
  }
  const paths = ['/api/auth/login', '/api/auth/verify-2fa', '/api/setup', '/api/shares/init']
  await Promise.all(paths.map((path) => send(path)()))
  global.gc?.()
  const before = process.memoryUsage()
  let most = 0
  const sampler = setInterval(() => {
    const { heapUsed, external } = process.memoryUsage()
    most = Math.max(most, heapUsed + external)
  }, 5)
  try {
    await Promise.all(Array.from({ length: 100 }, (_, index) => send(paths[index % 4] ?? '')()))
  } finally {
    clearInterval(sampler)
  }
  const more = most - before.heapUsed - before.external
  // 400 MiB were sent; the client of this test shares one buffer.
  assert.ok(more < 150 * 1024 * 1024, `${Math.round(more / 1024 / 1024)} MiB more`)
})
