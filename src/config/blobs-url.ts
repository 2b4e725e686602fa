import { parseUrl } from '../lib/base-path.ts'

/** A bucket, and the part of it that belongs to the service. */
export interface BlobsAddress {
  /** Scheme, host and port of the store. */
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  /** Empty, or ends with a slash. */
  readonly prefix: string
}

const usualRegion = 'us-east-1'
const bucketPattern = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
/** Characters that need no encoding, so that every store signs the same path. */
const prefixPattern = /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*$/
const prefixLengthMax = 200
const regionPattern = /^[a-z0-9-]{1,50}$/

/** @throws Error with the expected form, without any part of the text */
export function parseBlobsUrl(text: string): BlobsAddress {
  const url = parseUrl(text)
  if (url?.protocol !== 's3:' || url.username || url.password || url.port || url.hash) {
    throw new Error('must look like s3://bucket/prefix?endpoint=https://host&region=name')
  }
  const known = new Set(['endpoint', 'region'])
  if ([...url.searchParams.keys()].some((name) => !known.has(name))) {
    throw new Error('can have no other parameters than endpoint and region')
  }
  if (!bucketPattern.test(url.hostname)) throw new Error('names no valid bucket')
  const prefix = url.pathname.replace(/^\//, '').replace(/([^/])$/, '$1/')
  if (!prefixPattern.test(prefix) || prefix.length > prefixLengthMax) {
    throw new Error('the prefix must consist of letters, digits and - . _ between single slashes')
  }
  const region = url.searchParams.get('region') ?? usualRegion
  if (!regionPattern.test(region)) throw new Error('names no valid region')
  const endpoint = url.searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`
  return { endpoint: parseEndpoint(endpoint), region, bucket: url.hostname, prefix }
}

export function formatBlobsUrl({ endpoint, region, bucket, prefix }: BlobsAddress): string {
  return `s3://${bucket}/${prefix}?endpoint=${endpoint}&region=${region}`
}

function parseEndpoint(text: string): string {
  const url = parseUrl(text)
  const isPlain = url && url.pathname === '/' && !url.search && !url.hash && !url.username
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new Error('the endpoint must be a URL such as https://s3.example.org')
  }
  return url.origin
}
