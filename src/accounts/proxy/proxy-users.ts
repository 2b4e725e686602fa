import { createIsProxy, unixPeer } from '../../http/client-ip.ts'
import { asciiAddress, isEmailAddress } from '../../lib/email-address.ts'
import { CodedError } from '../../lib/errors.ts'

/** What a request says about its proxy. */
interface ProxiedRequest {
  /** See `RequestContext`. */
  readonly peer: string
  /** The values of each header, which are not joined. */
  readonly request: { readonly headersDistinct: Readonly<Record<string, string[] | undefined>> }
}

/** Boot options: see config/options.ts. */
interface ProxyConfig {
  readonly proxyUserHeader: string
  readonly proxyLogoutUrl: string
  readonly trustProxy: string
}

/**
 * The user that a trusted proxy has signed in, by a header with their email address. From any other
 * peer the header counts as absent, and so do headers whose names only resemble it, for example
 * with underscores.
 */
export class ProxyUsers {
  /** Ends the session with the proxy; '' without. */
  readonly logoutUrl: string
  readonly #header: string
  readonly #isTrusted: (peer: string) => boolean

  constructor(config: ProxyConfig) {
    this.logoutUrl = config.proxyLogoutUrl
    this.#header = config.proxyUserHeader.toLowerCase()
    this.#isTrusted = createIsProxy(config.trustProxy)
  }

  /** Whether the email address of an account decides who signs in to it. */
  get isOn(): boolean {
    return this.#header !== ''
  }

  /**
   * The email address of the user; null without one.
   * @throws CodedError wrong_proxy_user when the header is there twice, because the proxy has then
   *   passed on that of the client, or is no email address
   */
  find({ peer, request }: ProxiedRequest): string | null {
    if (!this.isOn || !(peer === unixPeer || this.#isTrusted(peer))) return null
    const values = request.headersDistinct[this.#header] ?? []
    const [value = ''] = values
    if (values.length < 2 && value === '') return null
    if (values.length > 1 || !isEmailAddress(value)) throw new CodedError('wrong_proxy_user')
    return asciiAddress(value)
  }

  /** The same for a page; null instead of an error. */
  peek(context: ProxiedRequest): string | null {
    try {
      return this.find(context)
    } catch {
      return null
    }
  }

  /** Whether a session that the proxy has started is still that of the proxy's user. */
  confirms(context: ProxiedRequest, email: string): boolean {
    if (!this.isOn) return false
    try {
      return (this.find(context) ?? email).toLowerCase() === email.toLowerCase()
    } catch {
      return false
    }
  }
}
