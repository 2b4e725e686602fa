import type { Header, Reference } from './document.ts'

const text = { type: 'string' } as const
const seconds = { type: 'integer', minimum: 0 } as const

export const headers: Readonly<Record<string, Header>> = {
  'WWW-Authenticate': {
    description: 'The authentication scheme: `Bearer`.',
    required: true,
    schema: { type: 'string', enum: ['Bearer'] },
  },
  Allow: {
    description: 'The methods of this path.',
    required: true,
    schema: { ...text, examples: ['GET, HEAD, OPTIONS'] },
  },
  'Retry-After': {
    description: 'Seconds to wait before the next attempt.',
    schema: { type: 'integer', minimum: 1 },
  },
  'RateLimit-Limit': { description: 'Requests allowed per window.', schema: seconds },
  'RateLimit-Remaining': { description: 'Remaining requests.', schema: seconds },
  'RateLimit-Reset': {
    description: 'Seconds until all requests are available again.',
    schema: seconds,
  },
  ETag: {
    description:
      'Version of the content, for `If-None-Match` or `If-Range`. Weak (`W/`) for ' +
      'compressed archives, whose bytes can differ.',
    required: true,
    schema: { ...text, pattern: '^(W/)?"[!#-~]+"$' },
  },
  'Last-Modified': {
    description: 'When the content was completed (RFC 9110).',
    required: true,
    schema: text,
  },
  'Accept-Ranges': {
    description: '`bytes` if ranges are supported; `none` for compressed archives.',
    required: true,
    schema: { type: 'string', enum: ['bytes', 'none'] },
  },
  'Content-Range': {
    description: 'The range that follows and the full size; `*` if there is none.',
    required: true,
    schema: { ...text, pattern: '^bytes (\\d+-\\d+|\\*)/\\d+$' },
  },
  'Content-Disposition': {
    description: 'The file name to save as (RFC 6266).',
    required: true,
    schema: text,
  },
  'Set-Cookie': {
    description: 'A cookie for browsers: HttpOnly, SameSite=Lax, Secure with https.',
    schema: text,
  },
  Link: {
    description: 'The next page, with rel="next"; absent on the last one (RFC 8288).',
    schema: text,
  },
  Location: { description: 'The address to continue at.', required: true, schema: text },
  Vary: { description: 'The request headers that select the representation.', schema: text },
}

/** Also for a wrong password of a link: remaining guesses, and the wait when none are left. */
export const headersOfAttempts = [
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
]

export const headersOfErrors: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  416: ['Content-Range'],
  429: headersOfAttempts,
  503: ['Retry-After'],
}

/** Headers of answers with bytes, by status (see bytes/send/downloads.ts). */
export const headersOfBytes: Readonly<Record<number, readonly string[]>> = {
  200: ['ETag', 'Last-Modified', 'Accept-Ranges', 'Content-Disposition'],
  206: ['ETag', 'Last-Modified', 'Accept-Ranges', 'Content-Disposition', 'Content-Range'],
  304: ['ETag', 'Last-Modified'],
}

export function describeHeaders(names: readonly string[]): Record<string, Reference> {
  return Object.fromEntries(
    names.map((name) => {
      if (!headers[name])
        throw new Error(`describe the header ${name} in site/description/headers.ts`)
      return [name, { $ref: `#/components/headers/${name}` }]
    }),
  )
}
