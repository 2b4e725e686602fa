import {
  resolve,
  type DescribedAnswer,
  type DescribedOperation,
  type Document,
  type JsonSchema,
  type Content,
  type Parameter,
} from '../description/document.ts'
import { codesOf } from '../description/errors.ts'
import { escapeHtml } from '../../http/html.ts'
import { errorTable } from '../../lib/errors.ts'
import { renderCode, type Rendered, type Section } from './markdown.ts'

interface Entry {
  readonly method: string
  readonly path: string
  readonly operation: DescribedOperation
}

/** The API reference: every operation of the description, its objects and its errors. */
export function renderReference(root: Document): Rendered {
  const entries = Object.entries(root.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
  const parts = root.tags.map(({ name, description }) => {
    const own = entries.filter(({ operation }) => operation.tags[0] === name)
    return `<h2 id="${anchorOf(name)}">${escapeHtml(name)}</h2>
<p>${escapeHtml(description)}</p>
${own.map((entry) => renderOperation(entry, root)).join('\n')}`
  })
  return {
    html: `<h1>API reference</h1>
${paragraphs(root.info.description)}
<p>For programs: <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
${parts.join('\n')}
<h2 id="objects">Objects</h2>
${renderObjects(root)}
<h2 id="errors">Errors</h2>
<p>All values of <code>code</code>. Each operation lists the ones it can return.</p>
${renderErrors()}`,
    sections: listSections(root, entries),
  }
}

function listSections(root: Document, entries: readonly Entry[]): Section[] {
  const part = (anchor: string, title: string, text = '') => ({ anchor, title, depth: 2, text })
  return [
    part('', 'API reference', root.info.description),
    ...root.tags.map(({ name, description }) => part(anchorOf(name), name, description)),
    part('objects', 'Objects'),
    part('errors', 'Errors'),
    ...entries.map(({ method, path, operation }) => ({
      anchor: operation.operationId,
      title: `${method} ${path}`,
      depth: 3,
      text: `${operation.operationId} ${operation.summary}`,
    })),
  ]
}

function anchorOf(tag: string): string {
  return `tag-${tag.toLowerCase().replaceAll(' ', '-')}`
}

/** The id is inside, because browsers open an element that contains the target of an address. */
function renderOperation({ method, path, operation }: Entry, root: Document): string {
  const { operationId, summary, description = '', deprecated } = operation
  const example = renderCode(curlOf(method, path, operation, root), 'sh')
  const age = deprecated ? ' · deprecated' : ''
  return `<details class="operation">
<summary><code class="method">${method}</code> <code>${escapeHtml(path)}</code>
<span>${inline(summary)}</span></summary>
<div id="${operationId}">
<p class="facts"><code>${operationId}</code> · ${renderWho(operation)}${age}</p>
${description ? `<p>${inline(description)}</p>` : ''}
${renderParameters(operation, root)}
${renderBody(operation, root)}
<h3>Example</h3>
${example}
${renderSample(operation, root)}
${renderAnswers(operation, root)}
</div>
</details>`
}

const credentials: Readonly<Record<string, string>> = {
  bearer: 'Bearer token',
  session: 'session cookie',
  uploadToken: 'upload token',
  unlockToken: 'unlock token',
}

function renderWho({ security }: DescribedOperation): string {
  const ways = security.flatMap((way) => Object.entries(way))
  if (ways.length === 0) return 'for everyone'
  const names = ways
    .map(([way, scopes]) => `${credentials[way] ?? way}${scopes.map(scopeWords).join('')}`)
    .join(', ')
  return security.some(isNothing) ? `for everyone; also ${names}` : names
}

/** The scope that an API token needs. */
function scopeWords(scope: string): string {
  return scope === 'session' ? ' (no API token)' : ` (API token: scope ${scope})`
}

function renderParameters(operation: DescribedOperation, root: Document): string {
  const rows = parametersOf(operation, root).map((parameter) => [
    `<code>${escapeHtml(parameter.name)}</code> <small>${parameter.in}</small>`,
    parameter.in === 'path' ? '' : typeWords(parameter.schema),
    inline(parameter.description ?? ''),
  ])
  return rows.length > 0 ? `<h3>Parameters</h3>${table(rows)}` : ''
}

function renderBody({ requestBody }: DescribedOperation, root: Document): string {
  return Object.entries(requestBody?.content ?? {})
    .map(([type, { schema }]) => {
      return `<h3>Body <small>${type}</small></h3>${fieldTable(resolve(schema, root))}`
    })
    .join('')
}

function renderAnswers({ responses }: DescribedOperation, root: Document): string {
  const rows = Object.entries(responses).map(([status, given]) => {
    const answer = resolve<DescribedAnswer>(given, root)
    const codes = errorsOf(answer, root).map(
      (code) => `<a href="#error-${code}"><code>${code}</code></a>`,
    )
    return [
      `<code>${status}</code>`,
      codes.length > 0 ? codes.join(' ') : inline(answer.description),
    ]
  })
  return `<h3>Responses</h3>${table(rows)}`
}

function renderSample(operation: DescribedOperation, root: Document): string {
  const schema = contentOf(operation)['application/json']?.schema
  if (!schema) return ''
  const links = [schema, ...(schema.anyOf ?? []), schema.items ?? {}].flatMap(({ $ref }) =>
    $ref ? [objectLink($ref)] : [],
  )
  const sample = JSON.stringify(sampleOf(schema, root), null, 2)
  return `${renderCode(sample, 'json')}
${links.length > 0 ? `<p><small>${links.join(' or ')}</small></p>` : ''}`
}

function errorsOf({ content = {} }: DescribedAnswer, root: Document): string[] {
  return [...new Set(Object.values(content).flatMap(({ schema }) => codesOf(schema, root)))]
}

/** All schemas except errors, which have their own section. */
function renderObjects(root: Document): string {
  return Object.entries(root.components.schemas)
    .filter(([, schema]) => codesOf(schema, root).length === 0)
    .map(([name, schema]) => {
      const words = schema.description ? `<p>${inline(schema.description)}</p>` : ''
      return `<h3 id="object-${name}">${name}</h3>${words}${fieldTable(schema)}`
    })
    .join('\n')
}

function fieldTable({ properties = {}, required = [] }: JsonSchema): string {
  const rows = Object.entries(properties).map(([name, field]) => {
    const isRequired = required.includes(name)
    return [
      `<code>${escapeHtml(name)}</code>${isRequired ? '' : ' <small>optional</small>'}`,
      typeWords(field, isRequired),
      inline(field.description ?? ''),
    ]
  })
  return rows.length > 0 ? table(rows) : '<p>Any fields.</p>'
}

/** The type of a value with its bounds, in a few words. Optional values may also be null. */
function typeWords(schema: JsonSchema, saysNull = true): string {
  const { $ref, anyOf, items, format, pattern, minimum, maximum, minLength, maxLength } = schema
  if ($ref) return objectLink($ref)
  if (anyOf && !schema.properties) return anyOf.map((one) => typeWords(one)).join(' or ')
  if (items) return `array of ${typeWords(items)}`
  const values = schema.enum ?? (schema.const === undefined ? null : [schema.const])
  if (values)
    return values
      .filter((value) => saysNull || value !== null)
      .map(valueWords)
      .join(' ')
  const types = [schema.type ?? 'any'].flat()
  const named = types.filter((type) => type !== 'null').join(' or ')
  const name = format === 'binary' ? 'bytes' : named
  const isNullable = saysNull && types.length > 1 && types.includes('null')
  const age = schema['deprecated'] ? 'deprecated' : ''
  const shown = format && !/^(int64|binary)$/.test(format) ? ` (${format})` : ''
  const bounds = [
    rangeWords(minimum, maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum, ''),
    rangeWords(minLength, maxLength, ' characters'),
    pattern && !format ? `<code>${escapeHtml(pattern)}</code>` : '',
    schema.default === undefined ? '' : `else ${valueWords(schema.default)}`,
    age,
  ].filter(Boolean)
  return [`${name}${shown}${isNullable ? ' or null' : ''}`, ...bounds].join(', ')
}

function valueWords(value: unknown): string {
  return `<code>${escapeHtml(JSON.stringify(value))}</code>`
}

function rangeWords(least: number | undefined, most: number | undefined, unit: string): string {
  const [from, to] = [least, most].map((bound) => bound?.toLocaleString('en'))
  if (most !== undefined) return least ? `${from} to ${to}${unit}` : `at most ${to}${unit}`
  return least ? `at least ${from}${unit}` : ''
}

function objectLink(ref: string): string {
  const name = ref.split('/').at(-1)!
  return `<a href="#object-${name}">${name}</a>`
}

function renderErrors(): string {
  const rows = Object.entries(errorTable).map(([code, [status, message]]) => [
    `<code id="error-${code}">${code}</code>`,
    `<code>${status}</code>`,
    escapeHtml(message),
  ])
  return table(rows)
}

function table(rows: readonly (readonly string[])[]): string {
  const lines = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
  return `<div class="wide" tabindex="0">
<table><tbody>${lines.join('\n')}</tbody></table></div>`
}

function paragraphs(text: string): string {
  return text
    .split('\n\n')
    .map((paragraph) => `<p>${inline(paragraph)}</p>`)
    .join('\n')
}

/** Renders `code` and **stress** in a text. */
function inline(text: string): string {
  return escapeHtml(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
}

const samplesByFormat: Readonly<Record<string, string>> = {
  'date-time': '2026-11-21T15:30:00.000Z',
  email: 'ada@example.org',
  uri: 'https://files.example.org/s/mB3xK9vQ2rT7wYz5nP8dLg',
  uuid: '0b7f3c52-4c0e-4d0c-9a57-2f6a1d3e8b90',
}

/** A realistic value for a schema. */
export function sampleOf(given: JsonSchema, root: Document): unknown {
  const schema = resolve(given, root)
  const { examples, const: constant, enum: values, anyOf, properties = {}, items } = schema
  if (examples) return examples[0]
  if (constant !== undefined) return constant
  if (schema.default !== undefined) return schema.default
  if (values) return values[0]
  if (anyOf && !schema.properties) return sampleOf(anyOf[0]!, root)
  switch ([schema.type].flat()[0]) {
    case 'object':
      return Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, sampleOf(field, root)]),
      )
    case 'array':
      return items ? [sampleOf(items, root)] : []
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    case 'string':
      return samplesByFormat[schema.format ?? ''] ?? '…'
    default:
      return null
  }
}

/** Sample request: required fields and fields with examples, otherwise the first one. */
function sampleBody(given: JsonSchema, root: Document): Record<string, unknown> {
  const { required = [], properties = {} } = resolve(given, root)
  const all = Object.entries(properties)
  const told = all.filter(([name, field]) => required.includes(name) || field.examples)
  const chosen = told.length > 0 ? told : all.slice(0, 1)
  return Object.fromEntries(chosen.map(([name, field]) => [name, sampleOf(field, root)]))
}

/** A call of an operation to paste once `base` (or `docs`) and `token` are set. */
export function curlOf(
  method: string,
  path: string,
  operation: DescribedOperation,
  root: Document,
): string {
  const parameters = parametersOf(operation, root)
  const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const found = parameters.find((one) => one.in === 'path' && one.name === name)
    return String(sampleOf(found!.schema, root))
  })
  const query = parameters
    .filter((one) => one.in === 'query' && one.required)
    .map(({ name, schema }) => `${name}=${encodeURIComponent(String(sampleOf(schema, root)))}`)
  const address = query.length > 0 ? `${target}?${query.join('&')}` : target
  const isOpen = operation.security.length === 0 || operation.security.some(isNothing)
  const isFile = Object.keys(contentOf(operation)).some((type) => /zip|\*\/\*/.test(type))
  const parts = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$${baseOf(operation, root)}${address}"`,
    ...(isOpen ? [] : ['-H "Authorization: Bearer $token"']),
    ...bodyParts(operation, root),
    ...(isFile ? ['-O -J'] : []),
  ]
  return parts.join(' \\\n  ')
}

function bodyParts({ requestBody }: DescribedOperation, root: Document): string[] {
  const [media] = Object.entries(requestBody?.content ?? {})
  if (!media) return []
  const [type, { schema }] = media
  if (schema.format === 'binary') {
    return [`-H 'Content-Type: ${type}'`, '-T files.tar']
  }
  const body = sampleBody(schema, root)
  if (type !== 'multipart/form-data') {
    const text = JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')
    return [`-H 'Content-Type: ${type}'`, `-d '${text}'`]
  }
  return Object.entries(body).map(([name, value]) => {
    const isFile = schema.properties?.[name]?.format === 'binary'
    return `-F ${name}=${isFile ? '@chunk-0000' : String(value)}`
  })
}

/** The variable with the address of the operation's server. */
function baseOf({ servers }: DescribedOperation, root: Document): string {
  const [main] = root.servers
  return (servers ?? root.servers).some(({ url }) => url === main!.url) ? 'base' : 'docs'
}

function parametersOf({ parameters = [] }: DescribedOperation, root: Document): Parameter[] {
  return parameters.map((one) => resolve<Parameter>(one, root))
}

/** The content of a successful answer, by type. */
export function contentOf({ responses }: DescribedOperation): Content {
  return (responses['200'] as DescribedAnswer | undefined)?.content ?? {}
}

/** Whether an alternative requires no credentials. */
function isNothing(way: object): boolean {
  return Object.keys(way).length === 0
}
