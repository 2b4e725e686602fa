// Running transfers: expiry, deletion, damage, clients that stall or disconnect.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { patienceMs } from '../../../src/http/watchdog.ts'
import { SlowReader } from '../../helpers/slow-reader.ts'
import { until } from '../../helpers/until.ts'
import {
  assertNothingLeft,
  downloadCount,
  fileIds,
  patterned,
  startUnlimited,
  untilSettled,
} from './scene.ts'

const running = suite('downloads: running transfers')
const mib = 1024 * 1024
const hourMs = 3_600_000
/** More than the kernel buffers for a connection that is not read. */
const big = patterned(24 * mib)

const service = await startUnlimited()
const owner = await service.admin()
const anonymous = service.client()
running.after.each(() => assertNothingLeft(service))
running.after(() => service.stop())

/** Starts a download from a new address, so that none waits for another. */
function begin(place: number, target: string, headers: Record<string, string> = {}) {
  const from = { 'x-forwarded-for': `192.0.2.${place}` }
  return SlowReader.open(service.url + target, { ...from, ...headers })
}

running('should continue when its share expires, while every new read is 410', async () => {
  const shareId = await owner.share({ big }, { expirationVal: 1, expirationUnit: 'Hours' })
  const file = `/api/shares/${shareId}/files/${(await fileIds(service, shareId))['big']}`
  // Closer to the end than the watchdog's patience, so that only the expiry happens here.
  service.clock.advance(hourMs - patienceMs / 2)
  const begun = await begin(1, file)
  const lease = begun.headers['set-cookie']![0]!.split(';')[0]!
  service.clock.advance(patienceMs / 2 - 1)
  assert.is((await anonymous.get(`/api/public/shares/${shareId}`)).status, 200, 'a moment before')
  service.clock.advance(1)
  for (const [method, target] of [
    ['GET', `/api/public/shares/${shareId}`],
    ['GET', file],
    ['HEAD', file],
    ['GET', `/api/shares/${shareId}/download`],
    ['GET', `/s/${shareId}`],
    ['POST', `/api/shares/${shareId}/verify`],
  ] as const) {
    for (const cookie of ['', lease]) {
      const json = method === 'POST' ? { password: 'x' } : undefined
      const headers = { range: 'bytes=5-', 'if-none-match': '*', cookie }
      const answer = await anonymous.call(method, target, { headers, json })
      assert.is(answer.status, 410, `${method} ${target}`)
      if (target.startsWith('/api') && method !== 'HEAD') assert.is(answer.json().code, 'expired')
    }
  }
  const { body, isComplete } = await begun.readRest()
  assert.ok(isComplete)
  assert.ok(body.equals(big))
})

running('should be aborted at once when the owner deletes the share', async () => {
  const shareId = await owner.share({ big })
  const otherId = await owner.share({ big })
  const file = `/api/shares/${shareId}/files/${(await fileIds(service, shareId))['big']}`
  const archive = `/api/shares/${shareId}/download`
  const authorization = `Bearer ${owner.token}`
  const begun = await Promise.all([
    begin(1, file),
    begin(2, archive),
    begin(3, file, { range: 'bytes=1000-' }),
    begin(4, `${archive}?as=owner`, { authorization }),
  ])
  const untouched = await begin(5, `/api/shares/${otherId}/download`)
  await Promise.all(begun.map((reader) => reader.read(mib)))
  assert.is((await owner.delete(`/api/shares/${shareId}`)).status, 200)
  for (const reader of begun) {
    const { body, isComplete } = await reader.readRest()
    assert.not.ok(isComplete)
    assert.ok(body.length < big.length - mib)
  }
  for (const target of [file, archive, `/api/public/shares/${shareId}`]) {
    assert.is((await anonymous.get(target)).status, 404)
  }
  assert.ok((await untouched.readRest()).isComplete, 'the download of another share')
})

running('should end when its client has stopped reading', async () => {
  const shareId = await owner.share({ big })
  const stalled = await begin(1, `/api/shares/${shareId}/download`)
  await stalled.read(1)
  await until('it is aborted', () => {
    // The kernel may take megabytes more before nothing moves between two checks.
    service.clock.advance(patienceMs)
    service.app.listener.watchdog.check()
    return service.app.services.downloads.budget.transfers === 0
  })
  assert.not.ok((await stalled.readRest()).isComplete)
  await untilSettled(service, shareId)
})

running('should not make others wait for clients that do not read', async () => {
  const shareId = await owner.share({ big, small: 'small' })
  const small = `/api/shares/${shareId}/files/${(await fileIds(service, shareId))['small']}`
  const target = `/api/shares/${shareId}/download`
  const stalled = await Promise.all(Array.from({ length: 60 }, () => begin(1, target)))
  await Promise.all(stalled.map((reader) => reader.read(1)))
  const { budget } = service.app.services.downloads
  assert.is(budget.transfers, 60)
  // 16 MiB for one address, and two small buffers for each transfer that found no room in them.
  assert.ok(budget.heldBytes <= (16 + 2) * mib, `${budget.heldBytes} bytes`)
  for (const place of [1, 2]) {
    assert.is((await (await begin(place, small)).readRest()).body.toString(), 'small')
    assert.ok((await (await begin(place, target)).readRest()).isComplete)
  }
  for (const reader of stalled) reader.abort()
  await untilSettled(service, shareId)
  assert.is(budget.heldBytes, 0)
})

running('should not count a client that disconnects while it waits for a permit', async () => {
  const shareId = await owner.share({ big })
  const target = `/api/shares/${shareId}/download`
  const withPermit = await Promise.all(Array.from({ length: 16 }, () => begin(1, target)))
  // More than a link preview.
  await Promise.all(withPermit.map((reader) => reader.read(mib)))
  const gone = new AbortController()
  const headers = { 'x-forwarded-for': '192.0.2.1' }
  const asked = fetch(service.url + target, { headers, signal: gone.signal }).catch(() => 'gone')
  await until('it has arrived', () => service.app.listener.watchdog.size === 17)
  // Before that, the client may only have shut down its side.
  service.clock.advance(5_000)
  gone.abort()
  assert.is(await asked, 'gone')
  await until('the service knows', () => service.app.listener.watchdog.size === 16)
  for (const reader of withPermit) reader.abort()
  await untilSettled(service, shareId)
  assert.is(await downloadCount(service, shareId), 16)
})
