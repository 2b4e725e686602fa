import type { Operation } from '../../http/operation.ts'
import type { Security } from './document.ts'

export const securitySchemes: Readonly<Record<string, object>> = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'The `token` of a session, or an API token. It takes precedence over cookies: a wrong ' +
      'token is 401 even with a valid cookie. API tokens need the named scope (`read`, ' +
      '`send`, `manage`, `administer` or `metrics`); with `session`, API tokens are refused.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-transfer_session',
    description:
      'The session of a browser: HttpOnly. The name ends with `_` and a tag of the instance. On ' +
      'plain http it begins with `transfer_session`; if BASE_URL has a path, with ' +
      '`__Secure-transfer_session`. Requests from other sites that would change something are ' +
      '403 `cross_site`.',
  },
  uploadToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The `uploadToken` of an upload: it can only send, list and finalize the chunks of ' +
      'that upload.',
  },
  unlockToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The `accessToken` of a link whose password was verified, valid for an hour.',
  },
}

/**
 * Alternative credentials of an operation; `{}` means none. `bearer` lists the scope of API tokens
 * (a role, in the words of OpenAPI 3.1).
 */
export function describeSecurity({ auth, scope, linkToken }: Operation): Security {
  const account = [{ bearer: scope ? [scope] : [] }, { session: [] }]
  switch (auth) {
    case 'user':
    case 'admin':
      return account
    case 'uploader':
      return [...account, { uploadToken: [] }]
    case 'none':
      if (linkToken === 'upload') return [{ uploadToken: [] }]
      // A share's owner is identified by account.
      if (linkToken === 'unlock') {
        return [{}, { unlockToken: [] }, ...(scope ? account : [])]
      }
      return []
  }
}
