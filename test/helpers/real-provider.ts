// The provider of npm's oidc-provider in the test's process, with a page that asks who you are.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { stopAtEnd } from './suite.ts'

const clientSecret = 'secret of the client'

export interface RealProvider {
  readonly issuer: string
  readonly clientSecret: string
  stop(): void
}

/**
 * @param baseUrl of the service, whose provider is called `main`
 * @param people their claims, by what they type
 */
export async function startRealProvider(
  baseUrl: string,
  people: Readonly<Record<string, object>>,
  logoutUrl = baseUrl,
): Promise<RealProvider> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'transfer',
        client_secret: clientSecret,
        redirect_uris: [`${baseUrl}/api/auth/oidc/main/callback`],
        post_logout_redirect_uris: [`${baseUrl}/login`],
        backchannel_logout_uri: `${logoutUrl}/api/auth/oidc/main/logout`,
        backchannel_logout_session_required: true,
      },
    ],
    claims: { email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    scopes: ['openid', 'email', 'profile', 'groups'],
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    pkce: { required: () => true },
    // It would refuse addresses of this machine.
    fetch: (url: string, { dispatcher: _dispatcher, ...options }: Record<string, unknown>) =>
      fetch(url, options),
    cookies: { keys: ['a key'] },
    findAccount: (_context: object, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, ...people[id] }),
    }),
    interactions: { url: (_context: object, { uid }: { uid: string }) => `/interaction/${uid}` },
  })
  answerWith(server, provider)
  return stopAtEnd({ issuer, clientSecret, stop: () => server.close().closeAllConnections() })
}

function answerWith(server: Server, provider: Provider): void {
  const callback = provider.callback()
  const interact = async (request: IncomingMessage, response: ServerResponse) => {
    const who = new URL(request.url!, 'http://a').searchParams.get('who')
    if (who === null) {
      const page = '<form><label>Who <input name="who"></label><button>Continue</button></form>'
      return response.writeHead(200, { 'Content-Type': 'text/html' }).end(page)
    }
    const { params } = await provider.interactionDetails(request, response)
    const grant = new provider.Grant({ accountId: who, clientId: params['client_id'] })
    grant.addOIDCScope(params['scope']!)
    const result = { login: { accountId: who }, consent: { grantId: await grant.save() } }
    return provider.interactionFinished(request, response, result)
  }
  server.on('request', (request, response) => {
    if (request.url!.startsWith('/interaction/')) void interact(request, response)
    else callback(request, response)
  })
}
