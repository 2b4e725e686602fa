import { createHash, createHmac } from 'node:crypto'

export interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** For temporary credentials; null for lasting ones. */
  readonly sessionToken: string | null
}

export interface SignedRequest {
  readonly method: string
  readonly host: string
  /** Characters that need no encoding alone. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** Names in lower case; all are signed. */
  readonly headers: Readonly<Record<string, string>>
}

const algorithm = 'AWS4-HMAC-SHA256'
const unsigned = 'UNSIGNED-PAYLOAD'

/**
 * The headers of a request with its signature, version 4; its body is not signed.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export function signed(
  request: SignedRequest,
  { accessKeyId, secretAccessKey, sessionToken }: Credentials,
  region: string,
  now: Date,
): Record<string, string> {
  const time = now.toISOString().replace(/[:-]|\.\d{3}/g, '')
  const day = time.slice(0, 8)
  const headers: Record<string, string> = {
    ...request.headers,
    'x-amz-content-sha256': unsigned,
    'x-amz-date': time,
    ...(sessionToken === null ? {} : { 'x-amz-security-token': sessionToken }),
  }
  const signing: Record<string, string> = { ...headers, host: request.host }
  const names = Object.keys(signing).toSorted()
  const canonical = [
    request.method,
    request.path,
    formatQuery(request.query),
    ...names.map((name) => `${name}:${signing[name]!.trim()}`),
    '',
    names.join(';'),
    unsigned,
  ].join('\n')
  const scope = [day, region, 's3', 'aws4_request']
  const digest = createHash('sha256').update(canonical).digest('hex')
  const text = [algorithm, time, scope.join('/'), digest].join('\n')
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`)
  const authorization =
    `${algorithm} Credential=${accessKeyId}/${scope.join('/')},` +
    `SignedHeaders=${names.join(';')},Signature=${hmac(key, text).toString('hex')}`
  return { ...headers, authorization }
}

/** Sorted and encoded as it is signed, which is how it must be sent. */
export function formatQuery(query: Readonly<Record<string, string>>): string {
  return Object.keys(query)
    .toSorted()
    .map((name) => `${encode(name)}=${encode(query[name]!)}`)
    .join('&')
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

/** RFC 3986: all but unreserved characters. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
