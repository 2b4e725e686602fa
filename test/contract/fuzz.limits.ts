// Every operation of the API description, sent valid and nearly valid requests by any client: each
// answer is described, and none is 5xx. FUZZ_RUNS sends more, FUZZ_SEED chooses others.
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findLibraryFolder, Library } from '../../src/site/library.ts'
import { createDocsListener } from '../../src/site/server.ts'
import { createLog } from '../../src/lib/log.ts'
import { Client } from '../helpers/client.ts'
import { FakeClock } from '../helpers/clock.ts'
import { assignServer } from '../helpers/description.ts'
import { assertInvariants, settleService } from '../helpers/invariants.ts'
import { startService, type Service } from '../helpers/service.ts'
import { attempts, soundAttempt, targets, type Attempt } from './fuzz/attempts.ts'
import { Cast, hashOfPassword, putSettingsBack } from './fuzz/cast.ts'
import { sendAttempt } from './fuzz/send.ts'

/** Requests per operation; a third of them where only the head can be wrong. */
const runs = Number(process.env['FUZZ_RUNS']) || 9
const seed = Number(process.env['FUZZ_SEED'] ?? 20261121)

/** Operations that write without an effect on others: the cast need not be recreated. */
// prettier-ignore
const harmless = new Set([
  'login', 'requestPasswordReset', 'verifyPasswordReset', 'initShare', 'uploadShareChunk',
  'resendShare', 'verifySharePassword', 'createReverseShare', 'verifyReversePassword',
  'initDelivery', 'uploadDeliveryChunk', 'retryMail', 'testMail',
  'uploadShareTar', 'uploadShareTarByPut', 'uploadDeliveryTar', 'uploadDeliveryTarByPut', 'sendTar',
  'sendTarByPut', 'getPasskeyRegistrationOptions', 'getPasskeySignInOptions',
])

/** The setup is closed, no check-up runs, no authenticator signs, and no provider answers. */
const neverGranted = new Set([
  'setup',
  'setupPage',
  'echoProbe',
  'endProbe',
  'sinkProbe',
  'getSinkProbe',
  'pauseProbe',
  'registerPasskey',
  'signInWithPasskey',
  'startProviderSignIn',
  'verifyProviderSignIn',
  'endProviderSession',
  'linkIdentity',
])

const fuzz = suite('contract: fuzz')
let service: Service
let passwordHash: string
let cast: Cast | null = null
let casts = 0
let addresses = 0
let clients: Record<'product' | 'site', Client>
let stopSite: () => Promise<void>

fuzz.before(async () => {
  const off = { RATE_LIMIT_LOGIN: 'off', RATE_LIMIT_RESET: 'off', RATE_LIMIT_DOWNLOAD: 'off' }
  service = await startService({
    // Passkeys need https or localhost.
    env: { ...off, TRUST_PROXY: 'loopback', BASE_URL: 'http://localhost' },
  })
  passwordHash = await hashOfPassword(service)
  await putSettingsBack(service)
  const site = await startSite()
  stopSite = site.stop
  const product = service.client()
  clients = { product, site: new Client(site.url, null, product.sessionCookieName) }
})
fuzz.after(async () => {
  await cast?.close()
  for (const client of Object.values(clients)) await client.close()
  await stopSite()
  await service.stop()
})

/** The documentation site. */
async function startSite(): Promise<{ url: string; stop: () => Promise<void> }> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  const url = `http://127.0.0.1:${port}`
  const listener = createDocsListener({
    library: new Library(findLibraryFolder(), { docsUrl: url, baseUrl: 'http://transfer.test' }),
    trustProxy: 'loopback',
    clock: new FakeClock(),
    log: createLog({ level: 'silent' }),
  })
  await listener.listen({ port, host: '127.0.0.1' })
  assignServer(url, 'site')
  const stop = async () => {
    await listener.close(1000)
    assignServer(url, 'product')
  }
  return { url, stop }
}

/** Sends it to a service in its usual state. Returns whether it was granted. */
async function tryOut(attempt: Attempt): Promise<boolean> {
  const { target, method } = attempt
  casts += cast ? 0 : 1
  cast ??= new Cast(service, passwordHash, String(casts))
  addresses += 1
  const address = `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`
  const { status } = await sendAttempt(clients[target.server], attempt, cast, address)
  const isDone = status < 400
  const isChanged = isDone && !['GET', 'HEAD', 'OPTIONS'].includes(method)
  if (isChanged && !(harmless.has(target.id) && method === target.method)) {
    await forget()
  }
  if (isChanged && target.id === 'updateConfig') await putSettingsBack(service)
  return isDone
}

/** Restores the usual state for the next request. */
async function forget(): Promise<void> {
  await cast?.close()
  cast = null
}

for (const [place, target] of targets.entries()) {
  const { id, server, operation } = target
  const isPlain = !operation['requestBody'] && !operation['parameters']
  const options = {
    numRuns: isPlain ? Math.ceil(runs / 3) : runs,
    seed: seed + place,
    includeErrorInReport: true,
  }
  fuzz(`should answer ${id} of the ${server} as described, for any request`, async () => {
    await forget()
    const sound = soundAttempt(target)
    const isGranted = await tryOut(sound)
    assert.is(isGranted, !neverGranted.has(id), `a sound request: ${fc.stringify(sound)}`)
    const property = fc.asyncProperty(attempts(target), async (attempt) => {
      await tryOut(attempt)
    })
    await fc.assert(property, options)
  })
}

fuzz('should keep running, with everything in its place', async () => {
  assert.is((await clients.product.get('/livez')).status, 200)
  assert.is((await clients.product.get('/readyz')).status, 200)
  assert.is((await clients.site.get('/api/v1/docs')).status, 200)
  await settleService(service)
  await assertInvariants(service)
  const errors = service.logLines.filter((line) => line.includes('"level":"error"'))
  assert.equal(errors, [])
})

fuzz.run()
