// A client of the HTTP API with a cookie jar: every answer is read completely,
// and checked against the API description.
import { createHash } from 'node:crypto'
import { Agent, request } from 'undici'
import * as assert from 'uvu/assert'
import type { CookiePurpose } from '../../src/http/headers.ts'
import { requireDescribed, serverOf } from './description.ts'
import { noteLine } from './last-lines.ts'
import { patient } from './patience.ts'

export interface Answer {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly body: Buffer
  /** The body as JSON. */
  json<T = any>(): T
}

export interface Call {
  readonly headers?: Record<string, string>
  readonly json?: unknown
  readonly body?: string | Buffer | Uint8Array | AsyncIterable<Uint8Array>
}

export interface ChunkOptions {
  readonly fileName?: string
  /** Whether the text fields come before the binary part; real web clients send them after it. */
  readonly fieldsFirst?: boolean
  readonly fields?: Record<string, string>
}

export interface ListedFile {
  readonly fileId: string
  readonly originalName: string
  readonly size: number
  readonly mimeType?: string
}

const boundary = 'test-boundary-7d2c9e'

export class Client {
  readonly url: string
  /** Sent as `Authorization: Bearer`; null sends cookies only. */
  token: string | null
  readonly cookies = new Map<string, string>()
  /** The name of the service's session cookie; '' when unknown. */
  readonly sessionCookieName: string
  readonly #agent = new Agent({
    connections: 64,
    keepAliveTimeout: 1000,
  })

  constructor(url: string, token: string | null = null, sessionCookieName = '') {
    this.url = url
    this.sessionCookieName = sessionCookieName
    this.token = token
  }

  call(method: string, path: string, options: Call = {}): Promise<Answer> {
    const answer = this.#send(method, path, options)
    // A failing test closes its client while requests run: their end must not hide its error.
    answer.catch(() => {})
    return answer
  }

  async #send(method: string, path: string, options: Call): Promise<Answer> {
    const headers: Record<string, string> = { ...options.headers }
    if (this.token !== null) headers['authorization'] ??= `Bearer ${this.token}`
    if (this.cookies.size > 0) {
      headers['cookie'] ??= [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    }
    if (options.json !== undefined) headers['content-type'] ??= 'application/json'
    const body = options.json === undefined ? options.body : JSON.stringify(options.json)
    const answer = await request(`${this.url}${path}`, {
      method: method as 'GET',
      headers,
      body: (body ?? null) as string | null,
      dispatcher: this.#agent,
      headersTimeout: patient(60_000),
      bodyTimeout: patient(60_000),
    })
    const data = Buffer.from(await answer.body.arrayBuffer())
    noteLine(`${method} ${path} -> ${answer.statusCode} ${shownText(data)}`)
    this.#keepCookies(answer.headers['set-cookie'])
    requireDescribed({
      server: serverOf(this.url),
      method,
      path,
      status: answer.statusCode,
      headers: answer.headers,
      body: data,
    })
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: data,
      json: () => JSON.parse(data.toString('utf8')),
    }
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.call('GET', path, { headers })
  }

  post(path: string, json: unknown = {}, headers: Record<string, string> = {}): Promise<Answer> {
    return this.call('POST', path, { json, headers })
  }

  put(path: string, json: unknown): Promise<Answer> {
    return this.call('PUT', path, { json })
  }

  patch(path: string, json: unknown): Promise<Answer> {
    return this.call('PATCH', path, { json })
  }

  delete(path: string): Promise<Answer> {
    return this.call('DELETE', path)
  }

  /** A new draft's id. */
  async init(input: Record<string, unknown> = {}): Promise<string> {
    return (await okay(this.post('/api/shares/init', input))).json().shareId
  }

  /** Changes settings of the service. */
  configure(settings: object): Promise<Answer> {
    return okay(this.put('/api/config', settings))
  }

  chunk(
    shareId: string,
    fileId: string,
    index: number | string,
    data: Buffer | string,
    options: ChunkOptions = {},
  ): Promise<Answer> {
    const fields = {
      chunkIndex: String(index),
      fileName: options.fileName ?? fileId,
      fileId,
      ...options.fields,
    }
    const { body, contentType } = multipart(fields, data, options.fieldsFirst ?? false)
    const headers = { 'content-type': contentType }
    return this.call('POST', `/api/shares/${shareId}/chunk`, { body, headers })
  }

  finalize(shareId: string, files: readonly ListedFile[], more: object = {}): Promise<Answer> {
    const listed = files.map((file) => ({ fileName: file.originalName, ...file }))
    return this.post(`/api/shares/${shareId}/finalize`, { files: listed, ...more })
  }

  /** A complete share with these files (name → content), one chunk each. Returns its id. */
  async share(
    files: Record<string, Buffer | string>,
    input: Record<string, unknown> = {},
  ): Promise<string> {
    const shareId = await this.init(input)
    const listed: ListedFile[] = []
    for (const [place, [originalName, content]] of Object.entries(files).entries()) {
      const fileId = `file-${place}`
      await okay(this.chunk(shareId, fileId, 0, content))
      listed.push({ fileId, originalName, size: Buffer.byteLength(content) })
    }
    await okay(this.finalize(shareId, listed))
    return shareId
  }

  /** One of the files that a recipient of the share sees. */
  async download(shareId: string, place = 0, headers: Record<string, string> = {}) {
    const { files } = (await this.get(`/api/public/shares/${shareId}`)).json()
    return this.get(`/api/shares/${shareId}/files/${files[place].id}`, headers)
  }

  /** Closes its connections. */
  close(): Promise<void> {
    return this.#agent.destroy()
  }

  #keepCookies(header: string | string[] | undefined): void {
    for (const line of [header ?? []].flat()) {
      const [pair = '', ...attributes] = line.split(';')
      const [name = '', value = ''] = pair.split(/=(.*)/s)
      const isGone = attributes.some((attribute) => attribute.trim() === 'Max-Age=0')
      if (isGone) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
  }
}

/** The answer to a request that must succeed. */
export async function okay(asked: Promise<Answer>): Promise<Answer> {
  const answer = await asked
  assert.is(answer.status, 200, answer.body.toString())
  return answer
}

/** Part 7 and design 7: every error is `{ error, code }`, as JSON that is not cached. */
export function assertError(answer: Answer, status: number, code?: string): void {
  const text = answer.body.toString()
  assert.is(answer.status, status, text)
  assert.match(String(answer.headers['content-type']), /^application\/json\b/)
  assert.is(answer.headers['cache-control'], 'no-store')
  const body = answer.json()
  assert.type(body.error, 'string')
  assert.ok(body.error.length > 0)
  assert.match(body.code, /^[a-z][a-z0-9_]*$/)
  if (code !== undefined) assert.is(body.code, code)
  assert.is(answer.headers['www-authenticate'], status === 401 ? 'Bearer' : undefined)
}

/** One property of each. */
export const pluck = <T, K extends keyof T>(rows: readonly T[], key: K): T[K][] =>
  rows.map((row) => row[key])

/** The status of each answer, in order of the numbers: of requests at one instant. */
export const statusesOf = (answers: readonly { readonly status: number }[]): number[] =>
  pluck(answers, 'status').toSorted((a, b) => a - b)

function shownText(data: Buffer): string {
  return data
    .subarray(0, 300)
    .toString()
    .replaceAll(/[^\P{Cc}\n\t]|\ufffd/gu, '.')
}

/** Bytes that look random, and are the same for the same seed: no two places look alike. */
export function randomContent(length: number, seed: string | number = length): Buffer {
  if (length === 0) return Buffer.alloc(0)
  return createHash('shake256', { outputLength: length }).update(String(seed)).digest()
}

/** A multipart/form-data body with one binary part `chunk` and text fields before or after it. */
export function multipart(
  fields: Record<string, string>,
  chunk: Buffer | string,
  fieldsFirst: boolean,
): { body: Buffer; contentType: string } {
  const disposition = `--${boundary}\r\nContent-Disposition: form-data; name=`
  const texts = Object.entries(fields).map(
    ([name, value]) => `${disposition}"${name}"\r\n\r\n${value}\r\n`,
  )
  const type = 'Content-Type: application/octet-stream'
  const binary = [`${disposition}"chunk"; filename="blob"\r\n${type}\r\n\r\n`, chunk, '\r\n']
  const parts = fieldsFirst ? [...texts, ...binary] : [...binary, ...texts]
  const all = [...parts, `--${boundary}--\r\n`]
  return {
    body: Buffer.concat(all.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))),
    contentType: `multipart/form-data; boundary=${boundary}`,
  }
}

/** A guest of a file request, by its link. */
export class Guest {
  readonly client: Client
  readonly base: string

  /** The client's token becomes the delivery's with `init`. */
  constructor(client: Client, reverseId: string) {
    this.client = client
    this.base = `/api/public/reverse/${reverseId}`
  }

  show(): Promise<Answer> {
    return this.client.get(this.base)
  }

  /** As the page does it that says that files may be shared, if the link allows it. */
  async init(sender: object = {}): Promise<Answer> {
    const answer = await this.client.post(`${this.base}/init`, { allowSharing: true, ...sender })
    if (answer.status === 200) this.client.token = answer.json().uploadToken
    return answer
  }

  /** The guest, once a delivery has begun. */
  async begun(sender: object = {}): Promise<this> {
    await okay(this.init(sender))
    return this
  }

  chunk(fileId: string, index: number, data: Buffer | string, fileName = fileId): Promise<Answer> {
    const fields = { chunkIndex: String(index), fileName, fileId }
    const { body, contentType } = multipart(fields, Buffer.from(data), index % 2 === 0)
    const headers = { 'content-type': contentType }
    return this.client.call('POST', `${this.base}/chunk`, { body, headers })
  }

  chunks(): Promise<Answer> {
    return this.client.get(`${this.base}/chunks`)
  }

  finalize(files: readonly ListedFile[], more: object = {}): Promise<Answer> {
    const listed = files.map((file) => ({ fileName: file.originalName, ...file }))
    return this.client.post(`${this.base}/finalize`, { files: listed, ...more })
  }

  async deliver(files: Record<string, Buffer | string>, sender: object = {}): Promise<Answer> {
    await this.begun(sender)
    const listed: ListedFile[] = []
    for (const [place, [originalName, content]] of Object.entries(files).entries()) {
      const fileId = `file-${place}`
      await okay(this.chunk(fileId, 0, content, originalName))
      listed.push({ fileId, originalName, size: Buffer.from(content).length })
    }
    return okay(this.finalize(listed))
  }
}

export const makeLink = async (owner: Client, input: object = {}): Promise<string> =>
  (await okay(owner.post('/api/reverse', input))).json().id

// The cookies of the service, whose names end with a tag of the instance.

/** The name and value that an answer sets, with the attributes; '' without. */
export function setCookie({ headers }: Pick<Answer, 'headers'>, purpose: CookiePurpose): string {
  const set = [headers['set-cookie'] ?? []].flat()
  return set.find((line) => patternOf(purpose).test(line)) ?? ''
}

/** A Cookie header with the session of the client, or another token. */
export function sessionCookie({ sessionCookieName, token }: Client, other = token): string {
  if (sessionCookieName === '') throw new Error('the client has no service of this process')
  return `${sessionCookieName}=${other}`
}

/** The name of a cookie in the jar of a client. */
export function cookieName({ cookies }: Client, purpose: CookiePurpose): string {
  const name = [...cookies.keys()].find((key) => patternOf(purpose).test(`${key}=`))
  if (name === undefined) throw new Error(`the client has no cookie ${purpose}`)
  return name
}

/** The value of a cookie in the jar of a client. */
export function cookieValue(client: Client, purpose: CookiePurpose): string {
  return client.cookies.get(cookieName(client, purpose)) ?? ''
}

function patternOf(purpose: CookiePurpose): RegExp {
  return new RegExp(`^(__Host-|__Secure-)?transfer_${purpose}_[\\w-]{8}=`)
}
