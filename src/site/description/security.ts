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
    name: '__Host-session',
    description:
      'A session token as a cookie when the service uses https: HttpOnly. Browsers get it as ' +
      '`__Host-transfer_session_…`, with a tag of the instance; this name is accepted too. ' +
      'Requests from other sites that would change something are 403 `cross_site`. If BASE_URL ' +
      'has a path, the names begin with `__Secure-`.',
  },
  plainSession: {
    type: 'apiKey',
    in: 'cookie',
    name: 'session',
    description:
      'The same when the service uses plain http. Browsers get it as `transfer_session_…`.',
  },
  uploadToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The `uploadToken` of an upload: it can only send, list and finalize the chunks of ' +
      'that upload. Guests can send it as the cookie `upload_<reverseId>`.',
  },
  unlockToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The `accessToken` of a link whose password was verified, valid for an hour; also ' +
      'accepted as the cookie `unlock_<id>`.',
  },
}

/**
 * Alternative credentials of an operation; `{}` means none. `bearer` lists the scope of API tokens
 * (a role, in the words of OpenAPI 3.1).
 */
export function describeSecurity({ auth, scope, linkToken }: Operation): Security {
  const account = [{ bearer: scope ? [scope] : [] }, { session: [] }, { plainSession: [] }]
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
