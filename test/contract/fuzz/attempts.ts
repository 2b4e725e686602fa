// Requests generated from the API description, one operation at a time.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { packageRoot } from '../../../src/lib/package-root.ts'
import { description, type Server } from '../../helpers/description.ts'
import { resolve, type Schema } from '../../helpers/json-schema.ts'
import { binaryBodies } from './binary-bodies.ts'
import { anything, anyText, anyTwist, Known, toJson, Values } from './values.ts'

/** An operation of the description, on one of its servers. */
export interface Target {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly server: Exclude<Server, 'other'>
  readonly operation: Schema
}

export const targets: readonly Target[] = Object.entries(
  description['paths'] as Record<string, Record<string, Schema>>,
).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, operation]) =>
    serversOf(operation).map((server) => ({
      id: operation['operationId'] as string,
      method: method.toUpperCase(),
      path,
      server,
      operation,
    })),
  ),
)

function serversOf(operation: Schema): Target['server'][] {
  const [main] = description['servers'] as { url: string }[]
  const servers = (operation['servers'] ?? description['servers']) as { url: string }[]
  return servers.map(({ url }) => (url === main!.url ? 'product' : 'site'))
}

/** The credential of a request; `link` is the cookie of a link. */
type Carrier = 'bearer' | 'session'

interface Credential {
  readonly token: Known | null
  readonly carrier: Carrier
}

/** Ways to break a form body. */
const flaws = ['none', 'unfinished', 'no file name', 'other boundary', 'twice', 'no name'] as const

interface Form {
  readonly kind: 'form'
  readonly fields: readonly (readonly [name: string, value: unknown])[]
  readonly isFileFirst: boolean
  readonly flaw: (typeof flaws)[number]
}

interface Plain {
  readonly kind: 'json' | 'text'
  readonly value: unknown
  readonly type: string | null
}

export type Body = Form | Plain | null

/** One request, with references to the cast that are not looked up yet. */
export interface Attempt {
  readonly target: Target
  readonly method: string
  readonly credential: Credential
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body
}

// prettier-ignore
const tokens = [
  'ann.token', 'bob.token', 'root.token', 'fay.token', 'gil.token', 'apiToken.token',
  'rootsApiToken.token', 'draft.uploadToken', 'adding.uploadToken', 'begun.uploadToken',
  'delivery.uploadToken', 'unlock.token', 'reverseUnlock.token', 'words.nonsense',
]

/** Things that a path parameter may name. */
const knownParams: Readonly<Record<string, readonly string[]>> = {
  // prettier-ignore
  shareId: [
    'share.id', 'locked.id', 'draft.id', 'published.id', 'adding.id', 'expired.id',
    'usedUp.id', 'slugged.id', 'slugged.slug', 'emptied.id', 'bobsShare.id', 'pictured.id',
  ],
  reverseId: ['link.id', 'lockedLink.id', 'expiredLink.id', 'bobsLink.id'],
  deliveryId: ['delivery.id', 'bobsDelivery.id', 'share.id'],
  fileId: ['share.fileId', 'locked.fileId', 'delivery.fileId', 'pictured.fileId'],
  uploadedFileId: ['words.fileId'],
  userId: ['ann.id', 'bob.id', 'root.id', 'fay.id', 'gil.id', 'invited.id'],
  sessionId: ['session.id', 'bobsSession.id'],
  tokenId: ['apiToken.id', 'bobsApiToken.id'],
  passkeyId: ['passkey.id', 'bobsPasskey.id'],
  identityId: ['identity.id', 'bobsIdentity.id'],
  provider: ['provider.id'],
  contactId: ['contact.id', 'bobsContact.id'],
  mailId: ['mail.id', 'session.id'],
}

/** Values of a field of a body or query, by its name. */
const knownFields: Readonly<Record<string, readonly string[]>> = {
  email: ['ann.email', 'bob.email', 'root.email', 'fay.email'],
  password: ['words.accountPassword', 'words.linkPassword'],
  currentPassword: ['words.accountPassword'],
  token: ['reset.token', 'ann.token', 'invited.token'],
  code: ['fay.code', 'gil.code'],
  recoveryCode: ['fay.recoveryCode'],
  slug: ['slugged.slug', 'share.id'],
  to: ['ann.email'],
  sendEmailTo: ['ann.email'],
  transferTo: ['bob.id', 'ann.id'],
  owner: ['ann.email'],
  actor: ['ann.email'],
  target: ['share.id'],
  delivery: ['delivery.id', 'bobsDelivery.id'],
  fileId: ['words.fileId'],
}

const values = new Values(description, knownFields)
const known = (path: string) => new Known(path)

/** Values that make a valid request where the first known one does not. */
interface Sound {
  readonly who?: string
  readonly params?: Readonly<Record<string, Known | string>>
  readonly query?: Readonly<Record<string, Known | string>>
  readonly body?: Readonly<Record<string, unknown>>
}

const ofDraft = { params: { shareId: known('draft.id') } }
const ofBegun = { who: 'begun.uploadToken' }
const finalizing = { body: { files: known('words.listed') } }
const linkPassword = { password: known('words.linkPassword') }

const sounds: Readonly<Record<string, Sound>> = {
  verify2fa: { body: { email: known('fay.email'), code: known('fay.code') } },
  uploadShareChunk: ofDraft,
  uploadShareTar: ofDraft,
  uploadShareTarByPut: ofDraft,
  listShareChunks: ofDraft,
  putShareThumbnail: ofDraft,
  getShareThumbnail: {
    params: { shareId: known('pictured.id'), fileId: known('pictured.fileId') },
  },
  finalizeShare: { ...ofDraft, ...finalizing },
  cancelAdditions: { params: { shareId: known('adding.id') } },
  updateShare: { body: { name: 'Another name' } },
  verifySharePassword: { params: { shareId: known('locked.id') }, body: linkPassword },
  markDeliveriesSeen: { body: { deliveries: [] } },
  downloadReverseShare: { params: { reverseId: known('bobsLink.id') }, who: 'bob.token' },
  downloadReverseFile: { params: { fileId: known('delivery.fileId') } },
  verifyReversePassword: { params: { reverseId: known('lockedLink.id') }, body: linkPassword },
  uploadDeliveryChunk: ofBegun,
  uploadDeliveryTar: ofBegun,
  uploadDeliveryTarByPut: ofBegun,
  listDeliveryChunks: ofBegun,
  cancelDelivery: ofBegun,
  finalizeDelivery: { ...ofBegun, ...finalizing },
  enableSecondFactor: { who: 'gil.token', body: { code: known('gil.code') } },
  renewRecoveryCodes: { who: 'fay.token', body: { code: known('fay.code') } },
  disableSecondFactor: { who: 'fay.token', body: { code: known('fay.code') } },
  addProvider: { body: { id: 'another', issuer: 'https://127.0.0.1:1', clientId: 'a' } },
  updateProvider: { body: { issuer: 'https://127.0.0.1:1', clientId: 'a' } },
  resetUserSecondFactor: { params: { userId: known('fay.id') } },
  addContact: { body: { email: 'new@example.org' } },
  createUser: { body: { email: 'new@example.org', password: 'a new password' } },
  inviteUser: { body: { email: 'newer@example.org' } },
  inviteUserAgain: { params: { userId: known('invited.id') } },
  verifyInvitation: { body: { token: known('invited.token') } },
  acceptInvitation: { body: { token: known('invited.token'), password: 'a new password' } },
  setup: { body: { token: 'no token' } },
  documentationAsset: { params: { asset: 'site.css' } },
  builtAsset: { params: { builtAsset: builtScript() } },
  deleteShareFiles: { query: { files: known('share.fileId') } },
  confirmLogin: { body: { currentPassword: known('words.accountPassword') } },
  previewTheme: { query: { accent: '#1d5fc4' } },
  createApiToken: { body: { scopes: ['read'], expiresAt: '2099-01-01T00:00:00Z' } },
}

const soundFields: Readonly<Record<string, unknown>> = {
  name: 'A name',
  chunkIndex: 0,
  fileName: 'a.txt',
  newPassword: 'another password',
  files: [],
}

/** A request that its operation grants. */
export function soundAttempt(target: Target): Attempt {
  const { id, method, operation } = target
  const sound = sounds[id] ?? {}
  const params = paramsOf(target).map(({ name, schema }) => [
    name,
    sound.params?.[name] ?? firstKnown(knownParams, name) ?? schema['examples'][0],
  ])
  const { type, schema } = bodyOf(operation)
  const names = (schema?.['required'] ?? []) as string[]
  const fields = {
    ...Object.fromEntries(
      names.map((name) => [name, firstKnown(knownFields, name) ?? soundFields[name]]),
    ),
    ...sound.body,
  }
  const body: Body =
    type === null
      ? null
      : type === 'multipart/form-data'
        ? { kind: 'form', fields: formFields(fields), isFileFirst: false, flaw: 'none' }
        : binaryBodies[type]
          ? { kind: 'text', value: binaryBodies[type].sound, type }
          : { kind: 'json', value: fields, type }
  const token = known(sound.who ?? usualToken(operation))
  const isOpen = operation['security'].length === 0
  const credential = { token: isOpen ? null : token, carrier: 'bearer' as const }
  const inPath = Object.fromEntries(params) as Attempt['params']
  const { query = {} } = sound
  return shown({ target, method, credential, params: inPath, query, headers: {}, body })
}

/** Its name changes with its content. */
function builtScript(): string {
  const manifest = readFileSync(path.join(packageRoot, 'static/app/manifest.json'), 'utf8')
  return JSON.parse(manifest).pages.app.script as string
}

function firstKnown(table: Readonly<Record<string, readonly string[]>>, name: string) {
  const path = table[name]?.[0]
  return path === undefined ? null : known(path)
}

/** The token of an administrator where other accounts are refused. */
function usualToken({ responses }: Schema): string {
  return JSON.stringify(resolved(responses['403'] ?? {})).includes('"forbidden"')
    ? 'root.token'
    : 'ann.token'
}

function resolved(schema: Schema): Schema {
  return schema['$ref'] ? resolve(schema['$ref'], description) : schema
}

function bodyOf(operation: Schema): { type: string | null; schema: Schema | null } {
  const [entry] = Object.entries(
    (operation['requestBody']?.content ?? {}) as Record<string, Schema>,
  )
  return entry
    ? { type: entry[0], schema: resolved(entry[1]['schema']) }
    : { type: null, schema: null }
}

function parametersOf({ operation }: Target): Schema[] {
  return ((operation['parameters'] ?? []) as Schema[]).map(resolved)
}

function paramsOf(target: Target): Schema[] {
  return parametersOf(target).filter((one) => one['in'] === 'path')
}

/** Valid and nearly valid requests of an operation. */
export function attempts(target: Target): fc.Arbitrary<Attempt> {
  const sound = soundAttempt(target)
  const often = <T>(likely: T, others: fc.Arbitrary<T>, weight = 3) =>
    fc.oneof({ weight, arbitrary: fc.constant(likely) }, { weight: 1, arbitrary: others })
  const methods = target.method === 'GET' ? ['HEAD', 'POST'] : ['GET', 'PUT', 'OPTIONS']
  return fc
    .record({
      target: fc.constant(target),
      method: often(target.method, fc.constantFrom(...methods), 15),
      credential: often(sound.credential, credentials, 2),
      params: paramsArbitrary(target, sound),
      query: queryArbitrary(target),
      headers: headersArbitrary(target),
      body: bodyArbitrary(target, sound.body),
    })
    .map(shown)
}

const credentials: fc.Arbitrary<Credential> = fc.record({
  token: fc.oneof(
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 9, arbitrary: fc.constantFrom(...tokens).map(known) },
  ),
  carrier: fc.constantFrom<Carrier>('bearer', 'bearer', 'bearer', 'session'),
})

/** Parts of a path that no encoding would produce, sent verbatim. */
export class RawSegment {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const rawSegments = [
  '%',
  '%zz',
  '%00',
  '%c0%af',
  '..%2f..%2fetc',
  '%2e%2e%5c',
  '%ff',
  '.%00',
  ';a=b',
]

function paramsArbitrary(target: Target, sound: Attempt): fc.Arbitrary<Attempt['params']> {
  const fields = paramsOf(target).map(({ name, schema }) => {
    const paths = knownParams[name]
    const things = paths
      ? fc.tuple(fc.constantFrom(...paths), anyTwist).map(([path, how]) => new Known(path, how))
      : fc.constantFrom(schema.examples[0])
    const likely = fc.oneof(
      { weight: 4, arbitrary: fc.constant(sound.params[name]) },
      { weight: 2, arbitrary: paths ? fc.constantFrom(...paths).map(known) : things },
    )
    const odd = fc.oneof(
      things,
      values.fitting(schema),
      anyText,
      fc.constantFrom(...rawSegments).map((text) => new RawSegment(text)),
    )
    return [
      name,
      fc.oneof({ weight: 4, arbitrary: likely }, { weight: 1, arbitrary: odd }),
    ] as const
  })
  return fc.record(Object.fromEntries(fields))
}

function queryArbitrary(target: Target): fc.Arbitrary<Attempt['query']> {
  const fields = parametersOf(target).filter((one) => one['in'] === 'query')
  const stray = fc.dictionary(fc.constantFrom('x', 'limit', 'a[]', '__proto__'), anyText, {
    maxKeys: 1,
  })
  if (fields.length === 0) {
    return fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: stray })
  }
  const properties = Object.fromEntries(fields.map(({ name, schema }) => [name, schema]))
  const required = fields.filter((one) => one['required']).map(({ name }) => name)
  const schema = { type: 'object', properties, required }
  const near = fc.oneof(
    values.nearlyObject(schema),
    fc.record(Object.fromEntries(Object.keys(properties).map((name) => [name, anyText])), {
      requiredKeys: [],
    }),
  )
  return fc.oneof(fc.constant({}), values.object(schema), near)
}

const headerValues: Readonly<Record<string, readonly string[]>> = {
  // prettier-ignore
  Range: [
    'bytes=0-0', 'bytes=-1', 'bytes=1-', 'bytes=5-2', 'bytes=0-0,2-3', 'items=0-1', 'bytes=',
    'bytes=99999999999999999999-', 'bytes=-0', 'bytes=100000-', 'bytes=a-b', 'bytes 0-1',
  ],
  'Content-Digest': [
    'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:',
    'sha-256=:AAAA:',
    'md5=:AAAA:',
    'sha-256',
  ],
}
const tags = ['*', '"1-5f0e8c"', 'W/"a"', '"a", "b"', 'a', '"', 'Sat, 21 Nov 2026 00:00:00 GMT']
const otherHeaders: Readonly<Record<string, readonly string[]>> = {
  origin: ['http://transfer.test', 'https://evil.example', 'null', 'x'],
  'sec-fetch-site': ['same-origin', 'cross-site', 'same-site', 'none', 'x'],
  accept: ['text/html', 'text/markdown', 'application/json', '*/*;q=0', ',,;q=x', 'a/b;q=2'],
  'accept-encoding': ['gzip', 'identity', 'gzip;q=0', '*;q=0', 'br'],
  'if-modified-since': ['Sat, 21 Nov 2099 00:00:00 GMT', 'yesterday'],
  authorization: ['Bearer', 'Bearer ', 'Basic YTpi', 'bearer x', 'Bearer a b', 'x'],
  cookie: ['session=', 'session', '=', 'session=a; session=b', '__proto__=1', 'session="a"'],
  'x-forwarded-for': [
    '',
    'unknown',
    '::1',
    '1.2.3.4, 5.6.7.8',
    '1.2.3.4:80',
    '[::1]:1',
    '999.1.1.1',
  ],
  host: ['evil.example', 'transfer.test', 'a:99999', ' '],
  'content-encoding': ['gzip', 'identity'],
  'x-forwarded-proto': ['https', 'x'],
  'user-agent': ['', 'a\u00ff'.repeat(500)],
}

function headersArbitrary(target: Target): fc.Arbitrary<Attempt['headers']> {
  const own = parametersOf(target)
    .filter((one) => one['in'] === 'header')
    .map(({ name }) => [name as string, headerValues[name] ?? tags] as const)
  const ownValues = own.map(([name, texts]) => [name, headerValue(texts)] as const)
  const others = Object.entries(otherHeaders).map(([name, texts]) =>
    headerValue(texts).map((text) => ({ [name]: text })),
  )
  const other = fc.oneof({ weight: 6, arbitrary: fc.constant({}) }, ...others)
  return fc
    .tuple(fc.record(Object.fromEntries(ownValues), { requiredKeys: [] }), other)
    .map(([mine, more]) => ({ ...mine, ...more }) as Record<string, string>)
}

/** Without requests that Node's client would refuse to send: `test/http` has those. */
function headerValue(texts: readonly string[]): fc.Arbitrary<string> {
  const printable = anyText.map((text) => text.replaceAll(/[^\x20-\x7e]/g, '').trim())
  return fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...texts) }, printable)
}

// prettier-ignore
const types = [
  'text/plain', 'application/json; charset=utf-16', 'APPLICATION/JSON', '', 'x', null,
  'application/x-www-form-urlencoded', 'multipart/form-data', 'application/json;;;', '/',
  'multipart/form-data; boundary=', `multipart/form-data; boundary=${'b'.repeat(300)}`,
]
// prettier-ignore
const brokenTexts = [
  '', '{', '{}}', 'null', '[]', '7', '"x"', '\ufeff{}', '{"a":}', '{"__proto__":{"a":1}}',
  '\u0000', '['.repeat(100_000), `{"a":${'{"a":'.repeat(500)}`, '--b--', '{"files":[', 'NaN',
]

function bodyArbitrary({ operation }: Target, sound: Body): fc.Arbitrary<Body> {
  const { type, schema } = bodyOf(operation)
  const broken: fc.Arbitrary<Body> = fc.record({
    kind: fc.constant('text' as const),
    value: fc.oneof(fc.constantFrom(...brokenTexts), anything.map(toJson)),
    type: fc.constantFrom('application/json', ...types),
  })
  if (schema === null) {
    const isGet = operation['requestBody'] === undefined
    return isGet ? fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, broken) : broken
  }
  const binary = binaryBodies[type ?? '']
  if (binary) {
    const pieces = fc.array(fc.constantFrom(...binary.pieces), { maxLength: 6 })
    const made = pieces.map((list) => ({ kind: 'text' as const, value: list.join(''), type }))
    return fc.oneof(fc.constant(sound), made, broken)
  }
  const objects = fc.oneof(
    { weight: 2, arbitrary: values.object(schema) },
    { weight: 3, arbitrary: values.nearlyObject(schema) },
  )
  const made: fc.Arbitrary<Body> =
    type === 'multipart/form-data'
      ? formArbitrary(objects)
      : objects.map((value) => ({ kind: 'json', value, type: 'application/json' }))
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant(sound) },
    { weight: 9, arbitrary: mixed(sound, made) },
    { weight: 1, arbitrary: broken },
  )
}

/** Half of the time valid fields stay valid, so that one field is wrong alone. */
function mixed(sound: Body, made: fc.Arbitrary<Body>): fc.Arbitrary<Body> {
  return fc.tuple(made, fc.boolean(), fc.nat()).map(([body, keeps, place]) => {
    if (!keeps || body === null || sound === null) return body
    if (body.kind === 'form' && sound.kind === 'form') {
      return { ...body, fields: mixFields(sound.fields, body.fields, place) }
    }
    if (body.kind !== 'json' || sound.kind !== 'json') return body
    const fields = [sound.value, body.value].map((value) => formFields(value as object))
    return { ...sound, value: Object.fromEntries(mixFields(fields[0]!, fields[1]!, place)) }
  })
}

/** The first, with one field of the second. */
function mixFields(sound: Form['fields'], made: Form['fields'], place: number): Form['fields'] {
  const field = made[place % Math.max(made.length, 1)]
  return field ? [...sound.filter(([name]) => name !== field[0]), field] : sound
}

function formArbitrary(objects: fc.Arbitrary<Record<string, unknown>>): fc.Arbitrary<Body> {
  return fc.record({
    kind: fc.constant('form' as const),
    fields: objects.map(formFields),
    isFileFirst: fc.boolean(),
    flaw: fc.oneof(
      { weight: 3, arbitrary: fc.constant('none' as const) },
      { weight: 1, arbitrary: fc.constantFrom(...flaws) },
    ),
  })
}

function formFields(fields: object): [string, unknown][] {
  return Object.entries(fields)
}

/** Prints an attempt without the megabytes that may be in it. */
function shown(attempt: Attempt): Attempt {
  const { target, ...rest } = attempt
  const text = () => `${target.id} ${fc.stringify(rest).slice(0, 1500)}`
  return Object.assign(attempt, { [fc.toStringMethod]: text })
}
