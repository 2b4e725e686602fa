import { reasonOf } from '../../lib/errors.ts'
import { inTime } from '../../lib/clock.ts'
import { inOrder, Permits } from '../../lib/permits.ts'
import { info, notReached, ok, warning, worstOf } from './findings.ts'
import type { CheckResult, Finding } from './findings.ts'
import * as machine from './machine-checks.ts'
import { guessProxy, type ProxyKind } from './mends.ts'
import { forgedAddress, type Echo } from './probe.ts'
import { ProbeClient } from './probe-client.ts'
import { isReached, probePath } from './scene.ts'
import type { DoctorDeps, Reach, ReachedScene, Scene } from './scene.ts'
import * as url from './url-checks.ts'
import * as way from './way-checks.ts'

const checkMsMax = 20_000
/** Shorter than the usual limit of proxies: an administrator waits for the answer. */
const quickMsMax = 45_000
const slowMsMax = 150_000

/** A check of the way to the service, which has to be reached for it. */
function reached(run: (scene: ReachedScene) => Promise<Finding[]>): Check {
  return async (scene) => (isReached(scene) ? run(scene) : notReached())
}

type Check = (scene: Scene) => Promise<Finding[]>

/** Every check, in the order of the output. */
const checks: Readonly<Record<string, Check>> = {
  address: url.checkAddress,
  dns: url.checkDns,
  https: url.checkHttps,
  hsts: url.checkHsts,
  http2: url.checkHttp2,
  ipv6: url.checkIpv6,
  client_address: reached(way.checkClientAddress),
  host: reached(way.checkHost),
  // Before body_size, whose bodies it would take for its own.
  request_buffering: reached(way.checkRequestBuffering),
  body_size: reached(way.checkBodySize),
  response_buffering: reached(way.checkResponseBuffering),
  timeouts: reached(way.checkTimeouts),
  websockets: async () => ok('Not used: the proxy needs no rules for upgrades.'),
  clock: machine.checkClock,
  disk_speed: machine.checkDiskSpeed,
  disk_space: machine.checkDiskSpace,
  permissions: machine.checkPermissions,
  email: machine.checkEmail,
  backup: machine.checkBackup,
  verify: machine.checkVerify,
}
export const checkIds = Object.keys(checks)

export interface CheckUp {
  /** The proxy that answers show; null when they show none. */
  readonly proxy: ProxyKind | null
  readonly results: readonly CheckResult[]
}

/** Looks at the set-up from outside and inside; changes nothing. One check-up at a time. */
export class Doctor {
  readonly #deps: DoctorDeps
  readonly #turns = new Permits(inOrder(1), { waitersMax: 0 })

  constructor(deps: DoctorDeps) {
    this.#deps = deps
  }

  /**
   * @param isSlow also takes a pause of a minute
   * @throws CodedError unavailable while a check-up runs
   */
  run({ isSlow = false } = {}): Promise<CheckUp> {
    return this.#turns.run(async () => {
      const stop = new AbortController()
      const msMax = isSlow ? slowMsMax : quickMsMax
      const disarm = this.#deps.clock.setTimer(msMax, () => stop.abort())
      try {
        return await this.#runAll(isSlow, stop.signal)
      } finally {
        disarm()
        stop.abort()
      }
    })
  }

  async #runAll(isSlow: boolean, signal: AbortSignal): Promise<CheckUp> {
    const deps = this.#deps
    const { baseUrl, clock } = deps
    const client = new ProbeClient({ baseUrl, token: await deps.makeToken(), clock, signal })
    const reach = await reachService(client)
    const scene: Scene = { deps, url: new URL(baseUrl), client, reach, isSlow }
    const results: CheckResult[] = []
    for (const [id, run] of Object.entries(checks)) {
      const findings = signal.aborted
        ? info('Not checked: the check-up took too long.')
        : await runBounded(run, scene, isSlow && id === 'timeouts' ? slowMsMax : checkMsMax)
      results.push({ id, level: worstOf(findings), findings })
    }
    // Best effort: the token expires soon.
    if (reach.isReached) await client.get(probePath, { method: 'DELETE' }).catch(() => null)
    const { server = '', via = '' } = reach.reply?.headers ?? {}
    return { proxy: guessProxy(String(server), String(via)), results }
  }
}

/** A check that fails or hangs is a finding too. */
async function runBounded(run: Check, scene: Scene, msMax: number): Promise<Finding[]> {
  const late = warning(`The check took longer than ${msMax / 1000} seconds.`)
  try {
    return await inTime(scene.deps.clock, run(scene), late, msMax)
  } catch (error) {
    return warning('The check failed.', describe(error))
  }
}

function describe(error: unknown): string {
  return reasonOf(error).slice(0, 200)
}

/** The first request claims another address, as a hostile client would. */
async function reachService(client: ProbeClient): Promise<Reach> {
  try {
    const reply = await client.get(probePath, { headers: { 'X-Forwarded-For': forgedAddress } })
    if (reply.status === 200 && reply.text.includes('"peer_port"')) {
      return { isReached: true, reply, echo: JSON.parse(reply.text) as Echo }
    }
    return { isReached: false, reply, cause: `status ${reply.status}` }
  } catch (error) {
    return { isReached: false, reply: null, cause: describe(error) }
  }
}
