import { minuteMs } from '../../lib/clock.ts'
import { hashToken, randomToken } from '../../lib/random-id.ts'
import type { AccountDeps } from '../deps.ts'
import type { Verified } from './exchange.ts'

/** How long a sign-in with a provider may take. */
const flowLifeMs = 10 * minuteMs
const clockDifferenceMs = minuteMs / 2

/** What the next answer is for. */
export type Purpose =
  | { readonly kind: 'sign_in' }
  | { readonly kind: 'link'; readonly userId: number; readonly sessionId: string }
  | { readonly kind: 'test' }
  /** The provider has answered; the account asks for a code too. */
  | { readonly kind: 'code'; readonly verified: Verified; readonly userId: number }

/** A sign-in that is under way in one browser. */
export interface Flow {
  readonly providerId: string
  readonly purpose: Purpose
  /** Random; each is good for one answer. */
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** A path of this service. */
  readonly returnTo: string
  readonly isRemembered: boolean
  /** Whether the provider has to ask again who the user is, even if it knows. */
  readonly asksAgain?: boolean
  readonly expiresAt: number
}

/** Marks what only this class has sealed. */
const mark = 'sign-in with a provider'

/**
 * Sign-ins under way, in a cookie that only this service can read and make. It binds the answer of
 * the provider to the browser that has asked (RFC 9700, section 4.7).
 */
export class Flows {
  readonly #deps: Pick<AccountDeps, 'keys' | 'clock' | 'cookies'>

  constructor(deps: Pick<AccountDeps, 'keys' | 'clock' | 'cookies'>) {
    this.#deps = deps
  }

  /** A new flow and its cookie. */
  begin(wanted: Omit<Flow, 'state' | 'nonce' | 'verifier' | 'expiresAt'>): {
    readonly flow: Flow
    readonly cookie: string
  } {
    const flow = {
      ...wanted,
      state: randomToken(),
      nonce: randomToken(),
      verifier: randomToken(),
      expiresAt: this.#deps.clock.now() + flowLifeMs,
    }
    const sealed = this.#deps.keys.seal(JSON.stringify([mark, flow])).toString('base64url')
    return { flow, cookie: this.#deps.cookies.set('provider', sealed, { lifeMs: flowLifeMs }) }
  }

  /** The flow of a request that has not expired; null without one. */
  find(cookieHeader: string | undefined): Flow | null {
    for (const sealed of this.#deps.cookies.find(cookieHeader, 'provider')) {
      const flow = this.#open(sealed)
      if (flow && flow.expiresAt > this.#deps.clock.now()) return flow
    }
    return null
  }

  clearedCookie(): string {
    return this.#deps.cookies.clear('provider')
  }

  #open(sealed: string): Flow | null {
    try {
      const text = this.#deps.keys.unseal(Buffer.from(sealed, 'base64url'))
      const [found, flow] = JSON.parse(text) as [string, Flow]
      return found === mark ? flow : null
    } catch {
      return null
    }
  }
}

/** Whether the user has proved who they are since the flow began; clocks may differ a little. */
export function isProvenIn(flow: Flow, { authenticatedAt }: Verified): boolean {
  const beganAt = flow.expiresAt - flowLifeMs
  return authenticatedAt !== null && authenticatedAt >= beganAt - clockDifferenceMs
}

/** Under which a flow is used up. */
export function useOf(flow: Flow): readonly [hash: Buffer, expiresAt: Date] {
  return [hashToken(`sign-in ${flow.state}`), new Date(flow.expiresAt)]
}
