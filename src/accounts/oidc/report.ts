import { requireFound } from '../../lib/errors.ts'
import type { AccountDeps, SignInDeps } from '../deps.ts'
import { useChallenge } from '../passkeys/sql.ts'
import { reasonsOf, redeem } from './exchange.ts'
import { useOf, type Flow } from './flows.ts'
import { expired } from './sign-in.ts'
import type { Report } from './schemas.ts'
import { noteWorking } from './sql.ts'

const answeredCharactersMax = 10_000
const reportsMax = 20

type Deps = SignInDeps & Pick<AccountDeps, 'providers' | 'providerClients' | 'providerSignIn'>

/** Tests a provider step by step, and reports its answers. */
export class ProviderTest {
  readonly #deps: Deps
  /** The last report of each provider, of this process. */
  readonly #reports = new Map<string, Report>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * Reads the provider's metadata and keys, and begins a sign-in if both are there.
   * @throws CodedError not_found
   */
  async start(id: string) {
    const { providers, providerClients, providerSignIn } = this.#deps
    const { issuer } = await providers.find(id)
    const steps: Report['steps'] = []
    const isRead =
      (await tryStep(steps, 'discovery', () => providerClients.metadata(issuer, 0))) &&
      (await tryStep(steps, 'keys', () => providerClients.keySet(issuer, 0)))
    this.#reports.delete(id)
    this.#reports.set(id, { steps, answered: '' })
    if (this.#reports.size > reportsMax) this.#reports.delete(this.#reports.keys().next().value!)
    if (!isRead) return null
    return providerSignIn.start(id, {
      purpose: { kind: 'test' },
      returnTo: '/',
      isRemembered: false,
    })
  }

  /** Takes the answer to a test. Never makes a session. */
  async answer(flow: Flow, search: URLSearchParams): Promise<void> {
    const { database, clock, providers, providerSignIn } = this.#deps
    if (!(await useChallenge(database.sql, ...useOf(flow)))) throw expired()
    const provider = await providers.find(flow.providerId)
    const steps = (this.#reports.get(provider.id)?.steps ?? []).slice(0, 2)
    const found = await tryStep(steps, 'answer', () => redeem(this.#deps, provider, flow, search))
    if (found) {
      await tryStep(steps, 'account', async () => {
        await providerSignIn.preview(provider, found.verified)
        await noteWorking(database.sql, provider, new Date(clock.now()))
      })
    }
    const said = found ? { idToken: found.idToken, userInfo: found.userInfo } : null
    const answered = said ? JSON.stringify(said, null, 2).slice(0, answeredCharactersMax) : ''
    this.#reports.set(provider.id, { steps, answered })
  }

  /** The last report of a provider. @throws CodedError not_found */
  read(id: string): Report {
    return requireFound(this.#reports.get(id) ?? null)
  }
}

/** Records a step. Null when it fails. */
async function tryStep<T>(
  steps: Report['steps'],
  name: Report['steps'][number]['name'],
  work: () => Promise<T>,
): Promise<T | null> {
  try {
    const done = await work()
    steps.push({ name, problem: null })
    return done
  } catch (error) {
    steps.push({ name, problem: reasonsOf(error) })
    return null
  }
}
