import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { coded, fakeFile, html, mib, pass, pathsOf, Scene, type FakeFile } from './scene.ts'
import type { TransportRequest } from '../../../src/web/upload/types.ts'

let scene: Scene

const faults = suite('web: upload faults')
faults.before.each(() => {
  scene = new Scene()
})

faults('should wait longer after each failure, up to half a minute, with jitter', async () => {
  const waits: number[] = []
  for (const chance of [0, 0.999]) {
    scene.clock.chance = () => chance
    scene.service.plan = () => ({ kind: 'lost' })
    scene.upload.add([fakeFile(`a${chance}`, 1000)])
    for (let turn = 0; turn < 8; turn++) {
      await scene.clock.until(() => scene.upload.snapshot().retryAt !== null)
      const { retryAt } = scene.upload.snapshot()
      waits.push(Math.round((retryAt! - scene.clock.time) / 1000))
      await scene.clock.pass(retryAt! - scene.clock.time + 1)
    }
    scene.service.plan = () => pass
    await scene.untilPhase('idle')
  }
  assert.ok(waits[0]! <= 1 && waits[1]! === 1 && waits[3]! === 4, String(waits))
  assert.is(waits[7], 15)
  assert.is(waits[15], 30)
})

faults('should end a wait in time when the clock is set back', async () => {
  const full = { status: 507, json: { error: 'full', code: 'storage_full' }, retryAfter: null }
  for (const [phase, fault] of [
    ['waiting', { kind: 'lost' }],
    ['held', { kind: 'answer', reply: full }],
  ] as const) {
    const scene = new Scene()
    scene.fail('chunk', 1, fault)
    scene.upload.add([fakeFile('a', 1000)])
    await scene.untilPhase(phase)
    scene.clock.set(scene.clock.time - 86_400_000)
    await scene.untilPhase('idle', 61_000)
  }
})

faults('should probe with one small request after three failures', async () => {
  scene.service.plan = () => ({ kind: 'lost' })
  scene.upload.add([fakeFile('a', 100 * mib)])
  await scene.clock.pass(300_000)
  assert.is(scene.service.chunkRequests, 3)
  assert.ok(scene.count('readyz') > 5)
  scene.service.plan = () => pass
  await scene.expectDone(1)
})

faults('should obey Retry-After, in seconds and as a date', async () => {
  for (const isDate of [false, true]) {
    const scene = new Scene()
    const at = scene.clock.time + 600_000
    const retryAfter = isDate ? new Date(at).toUTCString() : '600'
    const reply = { status: 429, json: { error: 'slowly', code: 'rate_limited' }, retryAfter }
    scene.fail('chunk', 1, { kind: 'answer', reply })
    scene.upload.add([fakeFile('a', 1000)])
    await scene.untilPhase('waiting')
    assert.is(scene.upload.snapshot().problem!.code, 'rate_limited')
    assert.is(scene.upload.snapshot().files[0]!.problem, null, 'waiting, not failed')
    await scene.clock.pass(590_000)
    assert.is(scene.service.chunkRequests, 1)
    await scene.expectDone(1)
  }
})

faults('should abort silent requests after 20 seconds, after 60 if fully sent', async () => {
  for (const [fault, ms] of [
    ['hang', 20_000],
    ['mute', 60_000],
  ] as const) {
    const scene = new Scene()
    scene.fail('chunk', 1, { kind: fault })
    scene.upload.add([fakeFile('a', 1000)])
    await scene.clock.pass(ms - 500)
    assert.is(scene.phase, 'sending', fault)
    await scene.clock.pass(1000)
    assert.is(scene.phase, 'waiting', fault)
    assert.is(scene.upload.snapshot().problem!.code, 'stalled')
  }
})

faults('should tolerate a slow connection: longer silence where progress is rare', async () => {
  const scene = new Scene({ chunkBytesMax: mib })
  // Half a chunk every 12 seconds: four times that is tolerated.
  scene.service.bytesPerSecond = mib / 24
  scene.upload.add([fakeFile('a', 6 * mib)])
  await scene.clock.until(() => scene.service.chunkRequests >= 2)
  scene.service.bytesPerSecond = mib / 80
  await scene.untilPhase('idle')
  assert.is(scene.service.chunkRequests, 6)
})

const unauthorized = coded(401, 'unauthorized')

faults('should wait for a sign-in, and continue after it', async () => {
  let isSignedIn = true
  scene.service.plan = () => (isSignedIn ? pass : unauthorized)
  scene.upload.add([fakeFile('a', 100 * mib)])
  await scene.clock.pass(1000)
  isSignedIn = false
  await scene.untilPhase('held')
  assert.is(scene.upload.snapshot().hold, 'sign_in')
  const requests = scene.service.requests.length
  await scene.clock.pass(3_600_000)
  assert.is(scene.service.requests.length, requests)
  isSignedIn = true
  scene.upload.resume()
  await scene.expectDone(1)
})

faults('should continue with the session when the token of a share is refused', async () => {
  scene.service.plan = ({ token }) => (token === null ? pass : unauthorized)
  scene.upload.add([fakeFile('a', 10 * mib)])
  await scene.expectDone(1)
})

faults('should never use a cookie in place of the token of a delivery', async () => {
  const target = { kind: 'delivery', reverseId: 'r', uploadToken: 'token' } as const
  const scene = new Scene(undefined, target)
  const tokens = new Set<string | null>()
  scene.service.plan = ({ token }) => (tokens.add(token), unauthorized)
  scene.upload.add([fakeFile('a', 10 * mib)])
  await scene.untilPhase('stopped')
  assert.equal([...tokens], ['token'])
})

faults('should find the chunk size that passes a proxy, and remember it for the site', async () => {
  // Like nginx with its default of 1 MB for the whole body.
  const proxy = ({ chunk }: TransportRequest) =>
    chunk && chunk.bytes.size + 600 > mib ? html(413) : pass
  scene.service.plan = proxy
  scene.upload.add([fakeFile('a', 20 * mib), fakeFile('b', 3 * mib), fakeFile('c', 900)])
  await scene.expectDone(3)
  assert.is(scene.store.siteBytes, mib / 2)
  const next = new Scene()
  next.store.siteBytes = mib / 2
  next.reload()
  next.service.plan = proxy
  next.upload.add([fakeFile('a', 20 * mib)])
  await next.expectDone(1)
  assert.is(next.service.chunkRequests, 40)
})

faults('should say so when a proxy refuses the smallest chunk', async () => {
  scene.service.plan = ({ chunk }) => (chunk ? html(413) : pass)
  scene.upload.add([fakeFile('a', 20 * mib)])
  await scene.untilPhase('held')
  assert.is(scene.upload.snapshot().hold, 'too_large')
  assert.is(scene.service.chunkRequests, 5, '8, 4, 2, 1 and 0.5 MiB')
})

for (const limit of [null, mib]) {
  const whose = limit === null ? 'a proxy' : 'the service'
  faults(`should say so when a file needs larger chunks than ${whose} takes`, async () => {
    const scene = new Scene()
    const refusal = limit === null ? html(413) : coded(413, 'payload_too_large', { limit })
    scene.service.plan = ({ chunk }) => (chunk && chunk.bytes.size > mib ? refusal : pass)
    // The service numbers 100,000 chunks.
    scene.upload.add([fakeFile('a', 200_000 * mib)])
    await scene.clock.until(() => scene.upload.snapshot().phase === 'held', 60_000)
    assert.is(scene.upload.snapshot().hold, 'too_large')
    assert.ok(scene.service.chunkRequests < 5)
  })
}

faults('should use a limit of the service, and not remember it for the site', async () => {
  const limit = 3 * mib
  scene.service.plan = ({ chunk }) =>
    chunk && chunk.bytes.size > limit ? coded(413, 'payload_too_large', { limit }) : pass
  scene.upload.add([fakeFile('a', 20 * mib)])
  await scene.expectDone(1)
  assert.is(scene.service.chunkRequests, 1 + 7)
  assert.is(scene.store.siteBytes, null)
})

for (const [status, code, hold] of [
  [413, 'quota_exceeded', 'quota'],
  [413, 'share_too_large', 'too_large'],
  [413, 'too_many_rewrites', 'too_large'],
  [403, 'cross_site', 'refused'],
  [507, 'disk_full', 'server_full'],
] as const) {
  faults(`should pause at ${code}, say why, and continue on request`, async () => {
    const scene = new Scene()
    scene.fail('chunk', 1, coded(status, code))
    scene.upload.add([fakeFile('a', 10 * mib)])
    await scene.untilPhase('held')
    assert.is(scene.upload.snapshot().hold, hold)
    assert.is(scene.upload.snapshot().problem!.code, code)
    scene.upload.resume()
    await scene.expectDone(1)
  })
}

for (const [status, code] of [
  [404, 'not_found'],
  [410, 'expired'],
] as const) {
  faults(`should stop at ${status}, and keep everything`, async () => {
    const scene = new Scene()
    scene.upload.add([fakeFile('a', 100 * mib), fakeFile('b', 10)])
    const answer = scene.upload.complete()
    await scene.clock.pass(1500)
    scene.service.plan = () => coded(status, code)
    await scene.untilPhase('stopped')
    assert.is(scene.upload.snapshot().hold, 'removed')
    const requests = scene.service.requests.length
    await scene.clock.pass(600_000)
    assert.is(scene.service.requests.length, requests)
    assert.is(scene.store.records.size, 1)
    assert.equal(pathsOf(scene.upload.selection()), ['a', 'b'])
    assert.ok(await answer.catch((error: unknown) => error instanceof Error))
    scene.service.plan = () => pass
    scene.upload.resume()
    await scene.expectDone(2)
  })
}

faults('should send a damaged chunk three times more, then give up only its file', async () => {
  scene.service.plan = ({ chunk }) =>
    chunk?.fields['fileName'] === 'bad' ? coded(400, 'hash_mismatch') : pass
  scene.upload.add([fakeFile('bad', 10), fakeFile('good', 10)])
  void scene.upload.complete()
  await scene.untilPhase('held')
  assert.is(scene.upload.snapshot().hold, 'files')
  assert.is(scene.service.chunkRequests, 5)
  const [bad, good] = scene.upload.snapshot().files
  assert.equal([bad!.state, bad!.problem!.code, good!.state], ['failed', 'hash_mismatch', 'done'])
  scene.service.plan = () => pass
  scene.upload.retry(bad!.id)
  await scene.expectDone(2)
})

faults('should skip a file that cannot be read, and send the others', async () => {
  const gone = fakeFile('gone', 10 * mib)
  ;(gone.file as FakeFile).isGone = true
  scene.service.plan = ({ chunk }) =>
    chunk?.fields['fileName'] === 'gone' ? { kind: 'lost' } : pass
  scene.upload.add([gone, fakeFile('there', 10)])
  await scene.expectDone(1)
  const [first] = scene.upload.snapshot().files
  assert.equal([first!.state, first!.problem!.code], ['skipped', 'unreadable'])
})

faults('should stop a file that changed while being sent, until told to send it', async () => {
  const file = fakeFile('diary', 100 * mib)
  scene.upload.add([file, fakeFile('there', 10)])
  void scene.upload.complete()
  await scene.clock.pass(1000)
  ;(file.file as FakeFile).isGone = true
  scene.service.plan = ({ chunk }) =>
    chunk?.fields['fileName'] === 'diary' ? { kind: 'lost' } : pass
  await scene.untilPhase('held')
  const [diary, there] = scene.upload.snapshot().files
  assert.equal([diary!.state, there!.state], ['changed', 'done'])
  // Browsers read nothing more from a file that has changed.
  scene.upload.retry(diary!.id)
  await scene.untilPhase('held')
  const [again] = scene.upload.snapshot().files
  assert.equal([again!.state, again!.problem!.code], ['failed', 'unreadable'])
  assert.is(scene.service.state, 'draft')
  scene.service.plan = () => pass
  scene.upload.add([fakeFile('diary', 50 * mib, 2)])
  await scene.expectDone(2)
  assert.is(scene.service.contents().get('diary')!.bytes, 50 * mib)
})

faults('should send again exactly what finalize misses', async () => {
  scene.upload.add([fakeFile('a', 40 * mib), fakeFile('b', 10)])
  await scene.untilPhase('idle')
  scene.service.lose(2)
  const before = scene.service.chunkRequests
  await scene.expectDone(2)
  assert.is(scene.service.chunkRequests, before + 1)
})

faults('should give up, not loop forever, when finalize keeps missing listed chunks', async () => {
  scene.upload.add([fakeFile('a', 10)])
  scene.service.plan = ({ path }) =>
    path.endsWith('/finalize') ? coded(400, 'incomplete_upload') : pass
  void scene.upload.complete()
  await scene.untilPhase('held')
  assert.is(scene.upload.snapshot().hold, 'refused')
  assert.ok(scene.count('finalize') < 10)
})

faults('should report when another client completed the share', async () => {
  scene.upload.add([fakeFile('a', 100 * mib)])
  await scene.clock.pass(1000)
  scene.service.state = 'complete'
  await scene.untilPhase('stopped')
  assert.is(scene.upload.snapshot().problem!.code, 'already_complete')
  assert.is(scene.store.records.size, 1)
})

faults('should name the file that finalize refuses, and ask again when told to', async () => {
  scene.upload.add([fakeFile('x.exe', 10), fakeFile('b', 10)])
  scene.service.plan = ({ json }) =>
    JSON.stringify(json ?? '').includes('x.exe')
      ? coded(400, 'blocked_extension', { name: 'x.exe' })
      : pass
  void scene.upload.complete()
  await scene.untilPhase('held')
  const [blocked] = scene.upload.snapshot().files
  assert.equal([blocked!.state, blocked!.problem!.code], ['failed', 'blocked_extension'])
  // Refused again, then accepted: nothing of it is left to be sent.
  scene.upload.retry(blocked!.id)
  await scene.untilPhase('held')
  assert.is(scene.count('finalize'), 2)
  scene.service.plan = () => pass
  scene.upload.retry(blocked!.id)
  await scene.expectDone(2)
})

faults('should work with a store that fails or hangs', async () => {
  for (const work of [
    () => Promise.reject(new Error('full')),
    () => new Promise<never>(() => {}),
  ]) {
    const scene = new Scene()
    Object.assign(scene.store, { save: work, remove: work, chunkBytesMax: work })
    scene.upload.dispose()
    scene.reload(null)
    scene.upload.add([fakeFile('a', 10)])
    await scene.expectDone(1)
  }
})
