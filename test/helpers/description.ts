// Every answer to a test's client is checked against the API description of this build.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { mainFile } from './main-file.ts'
import { problemsOf, resolve, type Root, type Schema } from './json-schema.ts'

/** The API description as the build has written it, its addresses not filled in. */
export const description = JSON.parse(
  readFileSync(path.join(path.dirname(mainFile), 'docs', 'openapi.json'), 'utf8'),
) as Root

/** The server of an answer: the product, the documentation site, or one without a description. */
export type Server = 'product' | 'site' | 'other'

/** Headers that the description lists where they are sent. */
const describedHeaders = Object.keys(description['components'].headers)

export interface Exchanged {
  readonly server: Server
  readonly method: string
  readonly path: string
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Null when it was not read. */
  readonly body: Buffer | null
}

const others = new Map<string, Server>()

/** Registers the server at an address; others are the product. */
export function assignServer(url: string, server: Server): void {
  if (server === 'product') others.delete(url)
  else others.set(url, server)
}

export function serverOf(url: string): Server {
  return others.get(url) ?? 'product'
}

/** Problems reported to tests: a test that swallows its errors must not hide them. */
export const violations: string[] = []

/** @throws Error when an answer does not match the description */
export function requireDescribed(exchanged: Exchanged): void {
  const problems = descriptionProblems(exchanged)
  if (problems.length === 0) return
  const { method, path: target, status } = exchanged
  const text = `${method} ${target} ${status} is not as the API description says:`
  const violation = [text, ...problems].join('\n  ')
  violations.push(violation)
  throw new Error(violation)
}

/** Lists everything in an answer that the description does not allow. */
function descriptionProblems(exchanged: Exchanged, root: Root = description): string[] {
  const { server, method, path: target } = exchanged
  if (server === 'other') return []
  const item = findPath(target.split(/[?#]/)[0]!, server, root)
  if (!item && isPageOfNothing(exchanged)) return []
  if (!item) return unrouted(exchanged, [400, 404, 408, 417, 431, 503], root)
  if (method === 'OPTIONS') return optionsProblems(exchanged)
  const operation = item[method === 'HEAD' ? 'get' : method.toLowerCase()] as Schema | undefined
  if (!operation) return unrouted(exchanged, [400, 405, 408, 417, 431, 503], root)
  const found = operation['responses'][String(exchanged.status)] as Schema | undefined
  if (!found) return [`${operation['operationId']} does not describe the status`]
  const response = found['$ref'] ? resolve(found['$ref'], root) : found
  return [...headerProblems(exchanged, response, root), ...bodyProblems(exchanged, response, root)]
}

/** Browsers that ask for a page get one. */
function isPageOfNothing({ status, path: target, headers }: Exchanged): boolean {
  const isPage = String(headers['content-type']).startsWith('text/html')
  return status === 404 && isPage && !target.startsWith('/api/')
}

/** Fixed names win over parameters, as in the router. */
function findPath(target: string, server: Server, root: Root): Schema | null {
  const segments = partsOf(target)
  const fitting = patternsOf(root)
    .filter(({ parts }) => parts.length === segments.length)
    .filter(({ parts }) =>
      parts.every((part, place) =>
        isParameter(part) ? isNameable(segments[place]!) : part === segments[place],
      ),
    )
    .filter(({ item }) => Object.values(item).some((operation) => isOn(operation, server, root)))
    .toSorted((left, right) => order(left.parts) - order(right.parts))
  return fitting[0]?.item ?? null

  function order(parts: readonly string[]): number {
    return parts.reduce((sum, part) => sum * 2 + (isParameter(part) ? 1 : 0), 0)
  }
}

interface Pattern {
  readonly parts: readonly string[]
  readonly item: Schema
}

const patterns = new WeakMap<Root, readonly Pattern[]>()

function patternsOf(root: Root): readonly Pattern[] {
  const known = patterns.get(root)
  if (known) return known
  const paths = Object.entries(root['paths'] as Record<string, Schema>)
  const made = paths.map(([path, item]) => ({ parts: partsOf(path), item }))
  patterns.set(root, made)
  return made
}

function partsOf(pattern: string): string[] {
  return pattern.replace(/(?<=.)\/$/, '').split('/')
}

function isParameter(part: string): boolean {
  return part.startsWith('{')
}

/** An undecodable segment names nothing: it fits no parameter. */
function isNameable(segment: string): boolean {
  try {
    return decodeURIComponent(segment) !== ''
  } catch {
    return false
  }
}

/** The first server of the document is the product, another is the documentation site. */
function isOn(operation: Schema, server: Server, root: Root): boolean {
  const [main] = root['servers'] as Schema[]
  const servers = (operation['servers'] ?? root['servers']) as Schema[]
  return servers.some(({ url }) => (url === main!['url']) === (server === 'product'))
}

/** Answers that belong to no operation. */
function unrouted(exchanged: Exchanged, statuses: readonly number[], root: Root): string[] {
  const { status, server } = exchanged
  if (!statuses.includes(status)) return [`no operation, and yet ${status}`]
  const name = server === 'product' ? 'ProductError' : 'Problem'
  const type = server === 'product' ? 'application/json' : 'application/problem+json'
  const schema = { $ref: `#/components/schemas/${name}` }
  const isAllowMissing = status === 405 && exchanged.headers['allow'] === undefined
  return [
    ...bodyProblems(exchanged, { content: { [type]: { schema } } }, root),
    ...(isAllowMissing ? ['Allow is missing'] : []),
  ]
}

function optionsProblems({ status, headers, body }: Exchanged): string[] {
  if (status !== 204) return [`OPTIONS answered ${status}`]
  const problems = headers['allow'] ? [] : ['Allow is missing']
  return body?.length ? [...problems, 'OPTIONS has a body'] : problems
}

function headerProblems({ headers }: Exchanged, response: Schema, root: Root): string[] {
  const described = (response['headers'] ?? {}) as Record<string, Schema>
  return describedHeaders.flatMap((name) => {
    const value = headers[name.toLowerCase()]
    const { $ref } = described[name] ?? {}
    const header = $ref ? resolve($ref, root) : described[name]
    if (value === undefined) return header?.['required'] ? [`${name} is missing`] : []
    if (!header) return [`${name} is not described`]
    const isNumber = header['schema'].type === 'integer'
    return [value]
      .flat()
      .flatMap((line) => problemsOf(isNumber ? Number(line) : line, header['schema'], root, name))
  })
}

function bodyProblems(
  { method, headers, body }: Exchanged,
  response: Schema,
  root: Root,
): string[] {
  const content = (response['content'] ?? {}) as Record<string, Schema>
  const type = String(headers['content-type'] ?? '')
    .split(';')[0]!
    .trim()
    .toLowerCase()
  const isEmpty = body === null || body.length === 0
  if (Object.keys(content).length === 0) {
    return [
      ...(isEmpty ? [] : ['has a body that is not described']),
      ...(type ? [`Content-Type is ${type}, but no body is described`] : []),
    ]
  }
  const range = [type, `${type.split('/')[0]}/*`, '*/*'].find((name) => content[name])
  if (!range)
    return [`Content-Type ${type || '(none)'} is none of ${Object.keys(content).join(', ')}`]
  if (method === 'HEAD') return isEmpty ? [] : ['HEAD has a body']
  if (body === null || !/[/+]json$/.test(type) || range !== type) return []
  const isPacked = headers['content-encoding'] === 'gzip'
  return problemsOf(parse(isPacked ? gunzipSync(body) : body), content[range]!['schema'], root)
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
