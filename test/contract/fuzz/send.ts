// Sends generated requests, and judges the answers.
import { Client, type Answer } from '../../helpers/client.ts'
import { sessionCookie } from '../../helpers/cookies.ts'
import type { Attempt, Body } from './attempts.ts'
import { RawSegment } from './attempts.ts'
import type { Cast } from './cast.ts'
import { Known, toJson, twist } from './values.ts'

const boundary = 'fuzz-boundary-51c7'

interface Request {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: Buffer | null
}

/** @throws Error with a line for curl, when the answer is not described, or a 5xx */
export async function sendAttempt(
  client: Client,
  attempt: Attempt,
  cast: Cast,
  address: string,
): Promise<Answer> {
  const request = await build(client, attempt, cast, address)
  client.cookies.clear()
  const { method, path, headers, body } = request
  try {
    const answer = await client.call(method, path, { headers, ...(body ? { body } : {}) })
    if (answer.status < 500) return answer
    throw new Error(`${answer.status} ${answer.body.toString()}`)
  } catch (cause) {
    const what = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`${what}\n${curlLine(client.url, request)}`, { cause })
  }
}

async function build(
  client: Client,
  attempt: Attempt,
  cast: Cast,
  address: string,
): Promise<Request> {
  const { target, method, credential } = attempt
  const params = (await lookUp(attempt.params, cast)) as Record<string, unknown>
  const query = (await lookUp(attempt.query, cast)) as Record<string, unknown>
  const headers: Record<string, string> = { 'x-forwarded-for': address }
  const token = credential.token && String(await cast.get(credential.token.path))
  if (token && credential.carrier === 'bearer') headers['authorization'] = `Bearer ${token}`
  if (token && credential.carrier === 'session') headers['cookie'] = sessionCookie(client, token)
  const { type, data } = await writeBody(attempt.body, cast)
  if (type !== null) headers['content-type'] = type
  const path = target.path.replaceAll(/\{(\w+)\}/g, (_all, name) => segment(params[name]))
  return {
    method,
    path: path + queryText(query),
    headers: { ...headers, ...attempt.headers },
    body: method === 'GET' || method === 'HEAD' || method === 'OPTIONS' ? null : data,
  }
}

/** The value with every reference to the cast looked up. */
async function lookUp(value: unknown, cast: Cast): Promise<unknown> {
  if (value instanceof Known) return twist(await cast.get(value.path), value.twist)
  if (Array.isArray(value) && value.length < 100) {
    return Promise.all(value.map((item) => lookUp(item, cast)))
  }
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof RawSegment || Array.isArray(value)) return value
  const found: [string, unknown][] = []
  for (const [name, field] of Object.entries(value)) found.push([name, await lookUp(field, cast)])
  return Object.fromEntries(found)
}

/** Clients resolve `.` and `..`: the server never sees them. */
function segment(value: unknown): string {
  if (value instanceof RawSegment) return value.text
  const text = encode(asText(value))
  return /^\.{1,2}$/.test(text) ? `${text}%2f` : text
}

function queryText(query: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined)
  if (pairs.length === 0) return ''
  // Node refuses a target of a megabyte: test/http has that.
  const shorten = (text: string) => (text.length > 6000 ? text.slice(0, 300) : text)
  const text = pairs.map(([name, value]) => `${encode(name)}=${shorten(encode(asText(value)))}`)
  return `?${text.join('&')}`
}

function encode(text: string): string {
  const whole = text.length > 2000 ? text.slice(0, 2000) : text
  return encodeURIComponent(whole.toWellFormed())
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value.replace(/^@raw (.*)@$/, '$1') : toJson(value)
}

async function writeBody(
  body: Body,
  cast: Cast,
): Promise<{ type: string | null; data: Buffer | null }> {
  switch (body?.kind) {
    case 'json':
      return { type: body.type, data: Buffer.from(toJson(await lookUp(body.value, cast))) }
    case 'text': {
      const encoding = body.type === 'image/jpeg' ? 'latin1' : 'utf8'
      return { type: body.type, data: Buffer.from(String(body.value), encoding) }
    }
    case 'form': {
      const fields = (await lookUp(Object.fromEntries(body.fields), cast)) as object
      return writeForm({ ...body, fields: Object.entries(fields) })
    }
    default:
      return { type: null, data: null }
  }
}

function writeForm({ fields, isFileFirst, flaw }: Extract<Body, { kind: 'form' }>): {
  type: string
  data: Buffer
} {
  const filename = flaw === 'no file name' ? '' : '; filename="blob"'
  const parts = fields.map(([name, value]) => {
    const isFile = name === 'chunk'
    const label = flaw === 'no name' ? '' : `; name="${name}"`
    const head = `Content-Disposition: form-data${label}${isFile ? filename : ''}\r\n`
    return { isFile, text: `--${boundary}\r\n${head}\r\n${isFile ? '123' : asText(value)}\r\n` }
  })
  const ordered = parts.toSorted((left, right) => Number(left.isFile) - Number(right.isFile))
  if (isFileFirst) ordered.reverse()
  const once = ordered.map(({ text }) => text).join('')
  const text = flaw === 'twice' ? once + once : once
  const end = flaw === 'unfinished' ? '' : `--${boundary}--\r\n`
  const told = flaw === 'other boundary' ? 'another' : boundary
  return { type: `multipart/form-data; boundary=${told}`, data: Buffer.from(text + end) }
}

/** The request as a shell command; long bodies are truncated, with a note. */
function curlLine(url: string, { method, path, headers, body }: Request): string {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  const fields = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`)
  const text = body?.toString() ?? ''
  const cut = text.length > 2000 ? `${text.slice(0, 2000)}… (${body?.length} bytes)` : text
  const data = body ? [`--data-binary ${quote(cut)}`] : []
  return ['curl', `-X ${method}`, quote(url + path), ...fields, ...data].join(' ')
}
