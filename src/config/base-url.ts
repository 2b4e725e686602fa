import { parseUrl } from '../lib/base-path.ts'

/** Unreserved characters (RFC 3986 section 2.3): nothing that proxies or browsers rewrite. */
const pathPattern = /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)*\/?$/
const pathLengthMax = 200

/**
 * First names of the product's own paths. A base path that begins with one of them could not be
 * told apart from the page of that name behind a proxy that removes the base path.
 */
export const ownNames: ReadonlySet<string> = new Set([
  'account',
  'admin',
  'api',
  'ground-picture',
  'invitation',
  'livez',
  'login',
  'logo',
  'logo-dark',
  'manifest.webmanifest',
  'metrics',
  'openapi.json',
  'r',
  'readyz',
  'requests',
  'reset-password',
  's',
  'setup',
  'share-target',
  'share-target.js',
  'shares',
  'sign-up',
  'static',
  'theme.css',
])

/**
 * The URL without a slash at its end.
 * @throws Error with the expected form
 */
export function parsePublicUrl(text: string): string {
  const trimmed = text.trim()
  const url = parseUrl(trimmed)
  const path = /^https?:\/\/[^/?#\\]+([^?#]*)/i.exec(trimmed)?.[1]
  if (!url || path === undefined) {
    throw new Error('must be a URL such as https://files.example.org')
  }
  if (url.search || url.hash || url.username || url.password) {
    throw new Error('must have no query, fragment or user')
  }
  if (!pathPattern.test(path) || path.length > pathLengthMax) {
    throw new Error(
      'the path must consist of letters, digits and - . _ ~ between single slashes, such as /files',
    )
  }
  return url.origin + path.replace(/\/$/, '')
}

/** The same for the product. */
export function parseBaseUrl(text: string): string {
  const url = parsePublicUrl(text)
  const [, first = ''] = new URL(url).pathname.split('/')
  if (ownNames.has(first)) {
    throw new Error(`the path must not begin with /${first}, because a page has that name`)
  }
  return url
}
