import type { Operation } from '../../http/operation.ts'
import type { Security } from './document.ts'

export const securitySchemes: Readonly<Record<string, object>> = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'The `token` of a login, or an API token. It decides alone: a wrong one is 401 even ' +
      'beside a good cookie. The scope named with it (`read`, `send`, `manage` or `administer`) ' +
      'is what an API token needs; where it is `login`, no API token will do.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-session',
    description:
      'The cookie of a login where the service is on https, for browsers: HttpOnly. A request of ' +
      'another site that would change something is 403 `cross_site`.',
  },
  plainSession: {
    type: 'apiKey',
    in: 'cookie',
    name: 'session',
    description: 'The same where the service is on plain http.',
  },
  uploadToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The `uploadToken` that began an upload: it sends chunks of it, lists and finalizes them, ' +
      'nothing else. Guests may send it as the cookie `upload_<reverseId>`.',
  },
  unlockToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The `accessToken` of a link whose password was verified, for an hour; also as the cookie ' +
      '`unlock_<id>`.',
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
