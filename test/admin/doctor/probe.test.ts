// The service's side of a check-up: who may use it, and for how long; and its clock check.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { checkClock } from '../../../src/admin/doctor/machine-checks.ts'
import type { Scene } from '../../../src/admin/doctor/scene.ts'
import { checkHttps } from '../../../src/admin/doctor/url-checks.ts'
import { dayMs } from '../../../src/lib/clock.ts'
import { FakeClock } from '../../helpers/clock.ts'
import { startService } from '../../helpers/service.ts'

const path = '/api/admin/check-up/probe'
const probe = suite('doctor: probe')
const service = await startService()
const client = service.client()
// The check-up of an earlier test has ended.
probe.before.each(() => service.clock.advance(61_000))

const newToken = () => service.app.services.probe.makeToken()
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

probe('should refuse all without a token of a check-up, and open only itself', async () => {
  const admin = await service.admin()
  const own = bearer(await newToken())
  assert.is((await client.get('/api/account', own)).status, 401)
  for (const headers of [{}, bearer(admin.token!), bearer('nonsense')]) {
    for (const [method, place] of [
      ['GET', path],
      ['DELETE', path],
      ['POST', `${path}/body`],
      ['GET', `${path}/body`],
      ['GET', `${path}/pause`],
    ] as const) {
      const { status } = await client.call(method, place, { headers })
      assert.is(status, 401, `${method} ${place}`)
    }
  }
})

probe('should accept a token until its check-up ends', async () => {
  const headers = bearer(await newToken())
  const seen = (await client.get(path, headers)).json()
  assert.equal([seen.peer, seen.ip, seen.is_trusted], ['127.0.0.1', '127.0.0.1', false])
  assert.is((await client.call('DELETE', path, { headers })).status, 200)
  assert.is((await client.get(path, headers)).status, 401)
  service.clock.advance(120_000)
  service.clock.jump(-120_000)
  assert.is((await client.get(path, headers)).status, 401, 'nor by a clock that was set back')
  assert.is((await client.get(path, bearer(await newToken()))).status, 200)
})

probe('should run one check-up at a time, for a minute', async () => {
  const first = bearer(await newToken())
  assert.is((await client.get(path, first)).status, 200)
  const second = bearer(await newToken())
  assert.is((await client.get(path, second)).status, 503)
  service.clock.advance(61_000)
  assert.is((await client.get(path, second)).status, 401, 'its minute is over too')
  assert.is((await client.get(path, bearer(await newToken()))).status, 200)
  assert.is((await client.get(path, first)).status, 401)
})

probe('should limit the requests of a check-up', async () => {
  const headers = bearer(await newToken())
  const statuses: number[] = []
  for (let count = 0; count < 70; count += 1) {
    statuses.push((await client.get(path, headers)).status)
  }
  assert.is(statuses.filter((status) => status === 200).length, 64)
  assert.is(statuses.at(-1), 503)
})

probe('should count a body and store nothing', async () => {
  const headers = bearer(await newToken())
  assert.is((await client.get(`${path}/body`, headers)).status, 404)
  const body = Buffer.alloc(3_000_000)
  const more = { ...headers, 'content-type': 'application/octet-stream' }
  const sent = await client.call('POST', `${path}/body`, { headers: more, body })
  assert.is(sent.json().bytes, body.length)
  assert.is((await client.get(`${path}/body`, headers)).json().bytes, body.length)
})

const clocks = suite('doctor: clock')

async function textsFor(awayMs: number, laterMs: number): Promise<string[]> {
  const clock = new FakeClock()
  const date = new Date(clock.now() + awayMs).toUTCString()
  const reply = { headers: { date }, receivedAt: clock.now() }
  clock.advance(laterMs)
  const deps = {
    clock,
    clockDoubt: async () => null,
    databaseNow: async () => new Date(clock.now()),
  }
  const scene = { deps, reach: { isReached: true, reply } } as unknown as Scene
  const findings = await checkClock(scene)
  return findings.map(({ text }) => text).filter((text) => text.includes('machine that answers'))
}

clocks('should find a machine whose clock was ahead at the time of its answer', async () => {
  assert.equal(await textsFor(0, 65_000), [])
  assert.is((await textsFor(60_000, 0)).length, 1)
})

const certificates: [string, number, string, string[]][] = [
  ['has ended', -1, '', ['The certificate has expired']],
  ['has ended, as Node says too', -3, 'CERT_HAS_EXPIRED', ['The certificate has expired']],
  [
    'is signed by itself and has ended',
    -3,
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    ['The certificate is signed by itself', 'The certificate has expired'],
  ],
  ['ends soon', 3, '', ['The certificate expires in 3 days']],
  ['is good for long', 300, '', ['The certificate is trusted']],
]
for (const [state, days, doubt, texts] of certificates) {
  clocks(`should say what is wrong with a certificate that ${state}`, async () => {
    const clock = new FakeClock()
    const validUntil = new Date(clock.now() + days * dayMs)
    const reply = { certificate: { doubt, validUntil } }
    const url = new URL('https://files.example.org:8443/')
    const findings = await checkHttps({
      deps: { clock },
      url,
      reach: { reply },
    } as unknown as Scene)
    assert.equal(
      findings.map(({ text }, index) => text.slice(0, texts[index]?.length)),
      texts,
    )
  })
}
