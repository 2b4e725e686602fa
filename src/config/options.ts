import path from 'node:path'
import { parseRateLimit } from './limiters.ts'
import type { RateLimitPolicy } from '../http/rate-limit.ts'
import { createClientIp } from '../http/client-ip.ts'
import { asciiAddress, isEmailAddress } from '../lib/email-address.ts'
import { logLevels, type LogLevel } from '../lib/log.ts'
import { formatBlobsUrl, parseBlobsUrl, type BlobsAddress } from './blobs-url.ts'
import { formatMemory, parseMemory, readMemoryLimit } from './memory.ts'
import * as parse from './parse.ts'
import { parseUrl } from '../lib/base-path.ts'

/** One boot option with everything that loading, `config show` and the docs need. */
export interface Option<T> {
  readonly env: string
  /** The default in words, for the table of the README. */
  readonly defaultText: string
  readonly doc: string
  readonly secret?: boolean
  /** @throws Error with the expected form; the loader adds the option's name */
  readonly parse: (text: string) => T
  readonly fallback: (read: Fallbacks) => T
  /** Formats the value for `config show`; as text when absent. */
  show?(value: T): string
}

/** Values of earlier options that defaults may depend on. */
export interface Fallbacks {
  readonly port: number
  readonly docsPort: number | null
  readonly dataDir: string
  readonly stateFolder: string
}

function option<T>(declared: Option<T>): Option<T> {
  return declared
}

/** The one table of boot options, in the order of the README and of `transfer config show`. */
export const options = {
  host: option({
    env: 'HOST',
    defaultText: 'all interfaces',
    doc: 'Address to listen on, for example `127.0.0.1` behind a proxy on this machine.',
    parse: parse.parseHost,
    fallback: () => '',
  }),
  port: option({
    env: 'PORT',
    defaultText: '8080',
    doc: 'Port to listen on; 0 for any free one, which the line `listening on` names.',
    parse: parse.parsePort,
    fallback: () => 8080,
  }),
  baseUrl: option({
    env: 'BASE_URL',
    defaultText: 'http://localhost:<PORT>',
    doc:
      'Public URL of the service, also with a path: https://example.org/files. Links begin with ' +
      'it. With https, cookies are secure too.',
    parse: parseBaseUrl,
    fallback: (read) => `http://localhost:${read.port}`,
  }),
  docsPort: option<number | null>({
    env: 'DOCS_PORT',
    defaultText: '<PORT> + 1',
    doc: 'Port of the documentation site; `off` for none, 0 for any free one.',
    parse: parse.parsePortOrOff,
    fallback: (read) => portBeside(read.port),
    show: (port) => (port === null ? 'off' : String(port)),
  }),
  docsUrl: option({
    env: 'DOCS_URL',
    defaultText: 'http://localhost:<DOCS_PORT>',
    doc: 'Public URL of the documentation site, also with a path.',
    parse: parsePublicUrl,
    fallback: (read) => `http://localhost:${read.docsPort ?? read.port}`,
  }),
  dataDir: option({
    env: 'DATA_DIR',
    defaultText:
      '$STATE_DIRECTORY, else /var/lib/transfer-service (root) or ~/.local/share/transfer-service',
    doc: 'Folder for keys, the database and, unless STORAGE_DIR is set, the files.',
    parse: parse.parseFolder,
    fallback: (read) => read.stateFolder,
  }),
  storageDir: option({
    env: 'STORAGE_DIR',
    defaultText: '<DATA_DIR>/storage',
    doc: 'Folder for file contents; can be on another disk.',
    parse: parse.parseFolder,
    fallback: (read) => path.join(read.dataDir, 'storage'),
  }),
  blobsUrl: option<BlobsAddress | null>({
    env: 'BLOBS_URL',
    defaultText: 'files in STORAGE_DIR',
    doc:
      'Bucket for file contents, in place of STORAGE_DIR: ' +
      's3://bucket/prefix?endpoint=https://host&region=name. Details: docs/object-storage.md.',
    parse: parseBlobsUrl,
    fallback: () => null,
    show: (address) => (address ? formatBlobsUrl(address) : ''),
  }),
  awsAccessKeyId: secretText('AWS_ACCESS_KEY_ID', 'Access key of the bucket.'),
  awsSecretAccessKey: secretText('AWS_SECRET_ACCESS_KEY', 'Its secret key.'),
  awsSessionToken: secretText('AWS_SESSION_TOKEN', 'Token of temporary keys, if they have one.'),
  databaseUrl: option<string | null>({
    env: 'DATABASE_URL',
    defaultText: 'an embedded PostgreSQL in DATA_DIR',
    doc: 'Your own PostgreSQL (15 or later): postgres://user:password@host/database.',
    secret: true,
    parse: parse.parseDatabaseUrl,
    fallback: () => null,
  }),
  databaseDirectUrl: option<string | null>({
    env: 'DATABASE_DIRECT_URL',
    defaultText: '',
    doc:
      'The same database without the pooler, if DATABASE_URL names a pooler in transaction mode ' +
      'such as PgBouncer. Details: docs/scale.md.',
    secret: true,
    parse: parse.parseDatabaseUrl,
    fallback: () => null,
  }),
  jwtSecret: option<string | null>({
    env: 'JWT_SECRET',
    defaultText: 'a key file in DATA_DIR',
    doc:
      'Secret that signs sessions, at least 32 characters. To change it, see ' +
      '`transfer secret rotate`.',
    secret: true,
    parse: (text) => {
      if (text.length < 32) throw new Error('must have at least 32 characters')
      return text
    },
    fallback: () => null,
  }),
  adminEmail: option<string | null>({
    env: 'ADMIN_EMAIL',
    defaultText: '',
    doc:
      'With ADMIN_PASSWORD: creates the first administrator if there are no accounts yet. ' +
      'Ignored afterwards.',
    parse: parseEmail,
    fallback: () => null,
  }),
  adminPassword: option<string | null>({
    env: 'ADMIN_PASSWORD',
    defaultText: '',
    doc: 'Password of the first administrator, 8 to 256 characters.',
    secret: true,
    parse: (text) => {
      if (text.length < 8 || text.length > 256) throw new Error('must have 8 to 256 characters')
      return text
    },
    fallback: () => null,
  }),
  trustProxy: option({
    env: 'TRUST_PROXY',
    defaultText: 'no proxies',
    doc:
      'Trusted proxies; their X-Forwarded-For header is used. Addresses, networks (10.0.0.0/8), ' +
      '`loopback`, `private`.',
    parse: (text) => {
      createClientIp(text)
      return text
    },
    fallback: () => '',
  }),
  proxyUserHeader: option({
    env: 'PROXY_USER_HEADER',
    defaultText: 'none',
    doc:
      'Header with the email address of the user that a trusted proxy has signed in, such as ' +
      'Remote-Email. Details: docs/sign-in.md.',
    parse: parse.parseUserHeader,
    fallback: () => '',
  }),
  proxyLogoutUrl: option({
    env: 'PROXY_LOGOUT_URL',
    defaultText: 'none',
    doc: 'Page of the proxy that ends its sign-in; opened after signing out here.',
    parse: parsePublicUrl,
    fallback: () => '',
  }),
  logLevel: option<LogLevel>({
    env: 'LOG_LEVEL',
    defaultText: 'info',
    doc: `What is logged: ${logLevels.join(', ')}.`,
    parse: (text) => {
      const level = logLevels.find((known) => known === text)
      if (!level) throw new Error(`must be one of ${logLevels.join(', ')}`)
      return level
    },
    fallback: () => 'info',
  }),
  connectionsMax: option({
    env: 'CONNECTIONS_MAX',
    defaultText: '4096',
    doc:
      'Maximum number of open connections, at most half of the open files that the process ' +
      'can have. The longest idle connections are closed first.',
    parse: parse.parseCount,
    fallback: () => 4096,
  }),
  connectionsPerAddress: option({
    env: 'CONNECTIONS_PER_ADDRESS',
    defaultText: '256',
    doc:
      'Maximum number of connections per client address; four times as many per network ' +
      '(IPv4 /24, IPv6 /48). Trusted proxies have no limit.',
    parse: parse.parseCount,
    fallback: () => 256,
  }),
  rateLimitLogin: rateLimit('LOGIN', '5/15m', 'Sign-in attempts per client address.'),
  rateLimitReset: rateLimit(
    'RESET',
    '3/1h',
    'Password reset and sign-up requests per client address.',
  ),
  rateLimitUpload: rateLimit(
    'UPLOAD',
    '10000/1h',
    'Chunks per client address, with 600 deliveries an hour for guests.',
  ),
  rateLimitDownload: rateLimit('DOWNLOAD', '100/1h', 'Counted downloads per client address.'),
  metricsAddr: option<parse.SocketPlace | null>({
    env: 'METRICS_ADDR',
    defaultText: '',
    doc:
      'Address and port that serve `/metrics` for Prometheus without credentials, such as ' +
      '127.0.0.1:9464. Not for the internet.',
    parse: parse.parseSocketPlace,
    fallback: () => null,
    show: (place) => (place ? parse.formatSocketPlace(place) : ''),
  }),
  memoryLimit: option({
    env: 'MEMORY_LIMIT',
    defaultText: 'limit of the control group, else what the machine has',
    doc:
      'Memory for the service and its embedded database, such as 512M or 2G. Budgets follow ' +
      'from it.',
    parse: parseMemory,
    fallback: () => readMemoryLimit(),
    show: formatMemory,
  }),
}

function secretText(env: string, doc: string): Option<string | null> {
  return option<string | null>({
    env,
    defaultText: '',
    doc,
    secret: true,
    parse: (text) => {
      if (!/^[!-~]+$/.test(text)) throw new Error('must have no spaces or control characters')
      return text
    },
    fallback: () => null,
  })
}

function rateLimit(name: string, standard: string, doc: string): Option<RateLimitPolicy | null> {
  return option({
    env: `RATE_LIMIT_${name}`,
    defaultText: standard,
    doc: `${doc} \`off\` for no limit.`,
    parse: parseRateLimit,
    fallback: () => parseRateLimit(standard),
    show: (policy) => (policy ? `${policy.limit}/${policy.windowMs / 1000}s` : 'off'),
  })
}

/** The next port; 0 (any free port) stays 0, and the last port has no next one. */
function portBeside(port: number): number {
  if (port === 0) return 0
  return port === 65_535 ? port - 1 : port + 1
}

function parseEmail(text: string): string {
  const email = text.trim()
  if (!isEmailAddress(email)) throw new Error('must be an email address')
  return asciiAddress(email)
}

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
function parsePublicUrl(text: string): string {
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
function parseBaseUrl(text: string): string {
  const url = parsePublicUrl(text)
  const [, first = ''] = new URL(url).pathname.split('/')
  if (ownNames.has(first)) {
    throw new Error(`the path must not begin with /${first}, because a page has that name`)
  }
  return url
}
