import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { randomContent } from '../../helpers/client.ts'
import { startService } from '../../helpers/service.ts'
import { assertNothingLeft, downloadCount, fileIds, Recipient } from '../../bytes/send/scene.ts'
import { untilSettled } from '../../bytes/send/scene.ts'

const limited = suite('downloads: rate limit')
const bigBytes = 24 * 1024 * 1024

const service = await startService({
  env: { RATE_LIMIT_DOWNLOAD: '3/1h', TRUST_PROXY: '127.0.0.1' },
})
const owner = await service.admin()
const shareId = await owner.share({ big: randomContent(bigBytes) })
const path: string = `/api/shares/${shareId}/files/${(await fileIds(service, shareId))['big']}`
limited.after.each(() => assertNothingLeft(service))

limited('should take one token for each counted transfer and for nothing else', async () => {
  const ann = new Recipient(service.url, '192.0.2.1', false)
  const bob = new Recipient(service.url, '192.0.2.2')

  const free = async () => {
    assert.is((await ann.ask(path, {}, 'HEAD')).status, 200)
    assert.is((await ann.ask(path, { 'if-none-match': '*' })).status, 304)
    assert.is((await ann.ask(path, { range: `bytes=${bigBytes}-` })).status, 416)
    assert.is((await ann.ask(`/api/public/shares/${shareId}`)).status, 200)
    assert.is((await ann.ask(`/s/${shareId}`)).status, 200)
    assert.is((await ann.ask(`/api/shares/${shareId}/files/2147483647`)).status, 404)
    const archive = `/api/shares/${shareId}/download?as=owner`
    assert.is((await ann.ask(archive)).status, 401)
  }
  for (let turn = 0; turn < 4; turn++) await free()
  for (let turn = 1; turn <= 3; turn++) {
    assert.is((await ann.ask(path)).status, 200)
    await untilSettled(service, shareId)
    await free()
  }
  const resumed = await ann.ask(path, { range: `bytes=${bigBytes - 9}-` })
  assert.is(resumed.status, 206, 'a paid resumption')

  const refused = await ann.ask(path)
  assert.equal([refused.status, refused.json().code], [429, 'rate_limited'])
  const retryAfterSeconds = Number(refused.headers['retry-after'])
  assert.ok(retryAfterSeconds > 0 && retryAfterSeconds <= 3600, `${retryAfterSeconds} s`)
  assert.ok(Object.keys(refused.headers).some((name) => name.startsWith('ratelimit')))
  assert.is(refused.headers['set-cookie'], undefined)
  assert.is(await downloadCount(service, shareId), 3)
  await free()
  assert.is((await bob.ask(path)).status, 200, 'another address')

  service.clock.advance(retryAfterSeconds * 1000 - 1000)
  assert.is((await ann.ask(path)).status, 429)
  service.clock.advance(1000)
  assert.is((await ann.ask(path)).status, 200)
})

limited('should take one token for each selection, but not for its files', async () => {
  const owner = await service.admin()
  const names = ['a', 'b', 'c', 'd']
  const all = names.map((name) => [name, Buffer.alloc(100_000, name)] as const)
  const id = await owner.share({ ...Object.fromEntries(all), rest: Buffer.alloc(200_000) })
  const files = await fileIds(service, id)
  const ann = new Recipient(service.url, '192.0.2.7')
  const statusOf = async (asked: string) => (await ann.ask(`/api/shares/${id}/${asked}`)).status
  for (const name of names) assert.is(await statusOf(`files/${files[name]}`), 200)
  assert.is(await statusOf(`download?files=${files['a']}`), 200)
  assert.is(await statusOf(`download?files=${files['a']}`), 200, 'the same again')
  assert.is(await statusOf(`download?files=${files['b']}`), 200)
  assert.is(await statusOf(`download?files=${files['c']}`), 429)
  assert.is(await statusOf(`files/${files['a']}`), 200)
  await untilSettled(service, id)
  assert.is(await downloadCount(service, id), 1)
})
