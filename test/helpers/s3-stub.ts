// A small S3: the operations that the service uses, in memory. test/bytes/store/ runs the same
// suite against it and against Ceph.
import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export const stubKeys = { accessKeyId: 'stub', secretAccessKey: 'stub-secret', sessionToken: null }
const region = 'us-east-1'

/** What the next matching request gets instead of its answer. */
export interface Failure {
  readonly matches: (method: string, url: URL, range: string) => boolean
  /** `cut` closes the connection, `late` answers with an error in a 200, `hold` waits in a body. */
  readonly kind: number | 'cut' | 'cut body' | 'hold' | 'late' | 'no length'
  times: number
}

export interface Stored {
  readonly data: Buffer
  readonly at: Date
}

interface Begun {
  readonly key: string
  at: Date
  readonly parts: Map<number, Buffer>
}

export class S3Stub {
  readonly objects: Map<string, Stored>
  readonly uploads = new Map<string, Begun>()
  readonly failures: Failure[] = []
  /** Ends the bodies that are held. */
  readonly held: (() => void)[] = []
  /** `PUT /bucket/key`, without parameters. */
  readonly requests: string[] = []
  /** Keys in a page of a list. */
  pageSize = 1000
  #count = 0
  readonly #server: Server

  private constructor(objects: Map<string, Stored>) {
    this.objects = objects
    this.#server = createServer((request, response) => {
      void this.#answer(request, response).catch(() => response.destroy())
    })
  }

  static async start(objects: Map<string, Stored> = new Map()): Promise<S3Stub> {
    const stub = new S3Stub(objects)
    await once(stub.#server.listen(0, '127.0.0.1'), 'listening')
    stub.#server.unref()
    return stub
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** As BLOBS_URL names it. */
  get bucket() {
    return { endpoint: this.endpoint, region, bucket: 'bucket', prefix: 'files/' }
  }

  fail(kind: Failure['kind'], matches: Failure['matches'], times = 1): void {
    this.failures.push({ kind, matches, times })
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await once(this.#server.close(), 'close')
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, this.endpoint)
    const method = request.method!
    const { range = '' } = request.headers
    this.requests.push(`${method} ${url.pathname}`)
    const failure = this.failures.find((one) => one.times > 0 && one.matches(method, url, range))
    if (failure) failure.times -= 1
    if (failure?.kind === 'cut') return void request.socket.destroy()
    if (typeof failure?.kind === 'number') return refuse(response, failure.kind, 'SlowDown')
    const parts: Buffer[] = []
    for await (const data of request) parts.push(data as Buffer)
    const body = Buffer.concat(parts)
    if (!isSigned(request, url)) return refuse(response, 403, 'SignatureDoesNotMatch')
    if (!isIntact(request, body)) return refuse(response, 400, 'BadDigest')
    if (failure?.kind === 'late') return refuse(response, 200, 'InternalError')
    const [, bucket, ...names] = url.pathname.split('/')
    if (bucket !== 'bucket') return refuse(response, 404, 'NoSuchBucket')
    const kind = failure?.kind
    this.#serve({ method, url, key: names.join('/'), request, response, body, kind })
  }

  #serve(call: Call): void {
    const { method, url, key, response, body } = call
    const query = url.searchParams
    if (key === '' && method === 'GET' && query.has('uploads')) return this.#listUploads(call)
    if (key === '' && method === 'GET') return this.#list(call)
    if (key === '' && query.has('delete')) return this.#removeAll(call)
    if (method === 'POST' && query.has('uploads')) return this.#begin(call)
    const uploadId = query.get('uploadId')
    if (uploadId !== null) return this.#ofUpload(call, uploadId)
    if (method === 'PUT') {
      const source = call.request.headers['x-amz-copy-source']
      if (typeof source === 'string') return this.#copy(call, source.replace('/bucket/', ''))
      this.objects.set(key, { data: body, at: new Date() })
      return end(response, 200, '', { etag: etagOf(body) })
    }
    if (method === 'DELETE') {
      this.objects.delete(key)
      return end(response, 204, '')
    }
    this.#read(call)
  }

  #read({ method, key, request, response, kind }: Call): void {
    const found = this.objects.get(key)
    if (!found) return refuse(response, 404, 'NoSuchKey')
    const { data, at } = found
    const headers = { 'last-modified': at.toUTCString(), etag: etagOf(data) }
    if (method === 'HEAD') {
      response.writeHead(200, { ...headers, 'content-length': data.length })
      return void response.end()
    }
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
    if (!range) return end(response, 200, data, headers)
    const part = data.subarray(Number(range[1]), Number(range[2]) + 1)
    if (part.length === 0) return refuse(response, 416, 'InvalidRange')
    const length = kind === 'no length' ? {} : { 'content-length': part.length }
    response.writeHead(206, { ...headers, ...length })
    if (kind !== 'cut body' && kind !== 'hold') return void response.end(part)
    const middle = part.length / 2
    const isHeld = kind === 'hold'
    response.write(part.subarray(0, middle), isHeld ? undefined : () => response.destroy())
    if (isHeld) this.held.push(() => void response.end(part.subarray(middle)))
  }

  #copy({ key, response }: Call, source: string): void {
    const found = this.objects.get(source)
    if (!found) return refuse(response, 404, 'NoSuchKey')
    this.objects.set(key, { data: found.data, at: new Date() })
    end(response, 200, `<CopyObjectResult><ETag>${etagOf(found.data)}</ETag></CopyObjectResult>`)
  }

  #begin({ key, response }: Call): void {
    const uploadId = `upload-${this.#count++}`
    this.uploads.set(uploadId, { key, at: new Date(), parts: new Map() })
    const body = `<UploadId>${uploadId}</UploadId>`
    end(response, 200, `<InitiateMultipartUploadResult>${body}</InitiateMultipartUploadResult>`)
  }

  #ofUpload({ method, url, key, response, body }: Call, uploadId: string): void {
    const upload = this.uploads.get(uploadId)
    if (upload?.key !== key) return refuse(response, 404, 'NoSuchUpload')
    if (method === 'DELETE') {
      this.uploads.delete(uploadId)
      return end(response, 204, '')
    }
    if (method === 'PUT') {
      upload.parts.set(Number(url.searchParams.get('partNumber')), body)
      return end(response, 200, '', { etag: etagOf(body) })
    }
    const listed = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)</g)]
    const parts = listed.map(([, number]) => upload.parts.get(Number(number)))
    const isKnown = listed.every(([, , etag], index) => {
      const part = parts[index]
      return part !== undefined && etagOf(part) === etag
    })
    const isLarge = parts.slice(0, -1).every((part) => part!.length >= 5 * 1024 * 1024)
    if (!isKnown || listed.length === 0) return refuse(response, 400, 'InvalidPart')
    if (!isLarge) return refuse(response, 400, 'EntityTooSmall')
    this.objects.set(key, { data: Buffer.concat(parts as Buffer[]), at: new Date() })
    this.uploads.delete(uploadId)
    const result = 'CompleteMultipartUploadResult'
    end(response, 200, `<?xml version="1.0"?>\n<${result} xmlns="x"><Key>${key}</Key></${result}>`)
  }

  #list({ url, response }: Call): void {
    const prefix = url.searchParams.get('prefix') ?? ''
    const isOfFolders = url.searchParams.has('delimiter')
    const after = url.searchParams.get('continuation-token') ?? ''
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix))
    const names = isOfFolders
      ? [...new Set(keys.map((key) => prefix + key.slice(prefix.length).split('/')[0]! + '/'))]
      : keys
    const rest = names.toSorted().filter((name) => name > after)
    const page = rest.slice(0, this.pageSize)
    const rows = page.map((name) =>
      isOfFolders
        ? `<CommonPrefixes><Prefix>${name}</Prefix></CommonPrefixes>`
        : `<Contents><Key>${name}</Key><Size>1</Size></Contents>`,
    )
    const isCut = rest.length > page.length
    const next = isCut ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
    const head = `<Name>bucket</Name><IsTruncated>${isCut}</IsTruncated>${next}`
    end(response, 200, `<ListBucketResult>${head}${rows.join('')}</ListBucketResult>`)
  }

  #listUploads({ response }: Call): void {
    const rows = [...this.uploads].map(
      ([id, { key, at }]) =>
        `<Upload><Key>${key}</Key><UploadId>${id}</UploadId>` +
        `<Initiated>${at.toISOString()}</Initiated></Upload>`,
    )
    end(response, 200, `<ListMultipartUploadsResult>${rows.join('')}</ListMultipartUploadsResult>`)
  }

  #removeAll({ request, response, body }: Call): void {
    if (request.headers['content-md5'] === undefined) return refuse(response, 400, 'InvalidRequest')
    const keys = [...body.toString().matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key]) => key!)
    if (keys.length > 1000) return refuse(response, 400, 'MalformedXML')
    for (const key of keys) this.objects.delete(key)
    end(response, 200, '<DeleteResult/>')
  }
}

interface Call {
  readonly method: string
  readonly url: URL
  readonly key: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: Buffer
  readonly kind: Failure['kind'] | undefined
}

function end(
  response: ServerResponse,
  status: number,
  body: string | Buffer,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-length': Buffer.byteLength(body), ...headers })
  response.end(body)
}

function refuse(response: ServerResponse, status: number, code: string): void {
  const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>a &amp; b</Message></Error>`
  end(response, status, body, { connection: 'close' })
}

function etagOf(data: Buffer): string {
  return `"${createHash('md5').update(data).digest('hex')}"`
}

function isIntact({ headers }: IncomingMessage, body: Buffer): boolean {
  if (headers['transfer-encoding'] !== undefined) return false
  const digest = headers['content-md5']
  return digest === undefined || digest === createHash('md5').update(body).digest('base64')
}

/** Computed from what arrived, without the code of the service. */
function isSigned({ method, headers }: IncomingMessage, url: URL): boolean {
  const pattern = /^AWS4-HMAC-SHA256 Credential=stub\/(\d{8})\/([^,]+),SignedHeaders=([^,]+),Sig/
  const found = pattern.exec(headers.authorization ?? '')
  if (!found) return false
  const [, day, rest, names] = found
  const hash = headers['x-amz-content-sha256']
  const lines = names!.split(';').map((name) => `${name}:${String(headers[name])}`)
  const query = url.search.slice(1).split('&').toSorted().join('&')
  const canonical = [method, url.pathname, query, ...lines, '', names, hash].join('\n')
  const digest = createHash('sha256').update(canonical).digest('hex')
  const time = headers['x-amz-date']
  const scope = `${day}/${rest}`
  let key: Buffer | string = `AWS4${stubKeys.secretAccessKey}`
  for (const part of scope.split('/')) key = createHmac('sha256', key).update(part).digest()
  const text = `AWS4-HMAC-SHA256\n${String(time)}\n${scope}\n${digest}`
  const signature = createHmac('sha256', key).update(text).digest('hex')
  return headers.authorization!.endsWith(`Signature=${signature}`)
}
