import type { JsonSchema } from '../description/json-schema.ts'
import { escapeHtml } from '../http/html.ts'
import { errorTable } from '../lib/errors.ts'
import type { Section } from './markdown.ts'
import { contentOf, curlOf, resolve, sampleOf } from './samples.ts'

/** The API reference: every operation of the description, its objects and its errors. */
export interface Reference {
  readonly html: string
  readonly sections: readonly Section[]
}

interface Entry {
  readonly method: string
  readonly path: string
  readonly operation: JsonSchema
}

export function renderReference(root: JsonSchema): Reference {
  const entries = Object.entries(
    root['paths'] as Record<string, Record<string, JsonSchema>>,
  ).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
  const tags = root['tags'] as { name: string; description: string }[]
  const parts = tags.map(({ name, description }) => {
    const own = entries.filter(({ operation }) => (operation['tags'] as string[])[0] === name)
    return `<h2 id="${anchorOf(name)}">${escapeHtml(name)}</h2>
<p>${escapeHtml(description)}</p>
${own.map((entry) => renderOperation(entry, root)).join('\n')}`
  })
  const { description } = root['info'] as { description: string }
  return {
    html: `<h1>API reference</h1>
${paragraphs(description)}
<p>All of it for machines: <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
${parts.join('\n')}
<h2 id="objects">Objects</h2>
${renderObjects(root)}
<h2 id="errors">Errors</h2>
<p>What <code>code</code> can be. Where it can be that stands with each operation.</p>
${renderErrors()}`,
    sections: [
      ...entries.map(({ method, path, operation }) => ({
        anchor: String(operation['operationId']),
        title: `${method} ${path}`,
        depth: 3,
        text: `${String(operation['operationId'])} ${String(operation['summary'])}`,
      })),
      ...tags.map(({ name, description: text }) => ({
        anchor: anchorOf(name),
        title: name,
        depth: 2,
        text,
      })),
      ...['objects', 'errors'].map((anchor) => ({
        anchor,
        title: anchor[0]!.toUpperCase() + anchor.slice(1),
        depth: 2,
        text: '',
      })),
    ],
  }
}

function anchorOf(tag: string): string {
  return `tag-${tag.toLowerCase().replaceAll(' ', '-')}`
}

function renderOperation({ method, path, operation }: Entry, root: JsonSchema): string {
  const id = String(operation['operationId'])
  return `<details class="operation">
<summary><code class="method">${method}</code> <code>${escapeHtml(path)}</code> <span>${inline(String(operation['summary']))}</span></summary>
<div id="${id}">
<p class="facts"><code>${id}</code> · ${renderWho(operation)}</p>
${renderParameters(operation, root)}
${renderBody(operation, root)}
<h4>Example</h4>
<pre data-lang="sh" tabindex="0"><code>${escapeHtml(curlOf(method, path, operation, root))}</code></pre>
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

function renderWho(operation: JsonSchema): string {
  const ways = (operation['security'] as JsonSchema[]).flatMap((way) => Object.keys(way))
  const isOpen = (operation['security'] as JsonSchema[]).some(
    (way) => Object.keys(way).length === 0,
  )
  if (ways.length === 0) return 'for everybody'
  const names = ways.map((way) => credentials[way] ?? way).join(', ')
  return isOpen ? `for everybody; also ${names}` : names
}

function renderParameters(operation: JsonSchema, root: JsonSchema): string {
  const parameters = ((operation['parameters'] ?? []) as JsonSchema[]).map((one) =>
    resolve(one, root),
  )
  if (parameters.length === 0) return ''
  const rows = parameters.map((parameter) => [
    `<code>${escapeHtml(String(parameter['name']))}</code> <small>${String(parameter['in'])}</small>`,
    parameter['in'] === 'path' ? '' : typeWords(parameter['schema'] as JsonSchema),
    inline(String(parameter['description'] ?? '')),
  ])
  return `<h4>Parameters</h4>${table(rows)}`
}

function renderBody(operation: JsonSchema, root: JsonSchema): string {
  const body = operation['requestBody'] as
    { content: Record<string, { schema: JsonSchema }> } | undefined
  if (!body) return ''
  const [[type, { schema }]] = Object.entries(body.content) as [[string, { schema: JsonSchema }]]
  return `<h4>Body <small>${type}</small></h4>${fieldTable(resolve(schema, root))}`
}

function renderAnswers(operation: JsonSchema, root: JsonSchema): string {
  const responses = Object.entries(operation['responses'] as Record<string, JsonSchema>)
  const rows = responses.map(([status, given]) => {
    const response = resolve(given, root)
    const codes = codesOf(response)
    const words =
      codes.length > 0
        ? codes.map((code) => `<a href="#error-${code}"><code>${code}</code></a>`).join(' ')
        : inline(String(response['description']))
    return [`<code>${status}</code>`, words]
  })
  return `${renderSample(operation, root)}<h4>Answers</h4>${table(rows)}`
}

function renderSample(operation: JsonSchema, root: JsonSchema): string {
  const media = contentOf(operation)['application/json'] as { schema: JsonSchema } | undefined
  if (!media) return ''
  const { schema } = media
  const names = [
    schema,
    ...((schema['anyOf'] ?? []) as JsonSchema[]),
    (schema['items'] ?? {}) as JsonSchema,
  ]
    .map((one) => one['$ref'])
    .filter((ref) => typeof ref === 'string')
    .map((ref) => objectLink(ref))
  const about = names.length > 0 ? ` <small>${names.join(' or ')}</small>` : ''
  const sample = JSON.stringify(sampleOf(schema, root), null, 2)
  return `<pre data-lang="json" tabindex="0"><code>${escapeHtml(sample)}</code></pre>${about}`
}

function codesOf(response: JsonSchema): string[] {
  const content = (response['content'] ?? {}) as Record<string, { schema: JsonSchema }>
  const schemas = Object.values(content).flatMap(
    ({ schema }) => (schema['anyOf'] ?? [schema]) as JsonSchema[],
  )
  const codes = schemas.flatMap((schema) => {
    const [, own] = (schema['allOf'] ?? []) as { properties: { code: { enum: string[] } } }[]
    return own?.properties.code.enum ?? []
  })
  return [...new Set(codes)]
}

function renderObjects(root: JsonSchema): string {
  const { schemas } = root['components'] as { schemas: Record<string, JsonSchema> }
  return Object.entries(schemas)
    .map(([name, schema]) => {
      const words = schema['description'] ? `<p>${inline(String(schema['description']))}</p>` : ''
      return `<h3 id="object-${name}">${name}</h3>${words}${fieldTable(schema)}`
    })
    .join('\n')
}

function fieldTable(schema: JsonSchema): string {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>)
  if (properties.length === 0) return '<p>Any fields.</p>'
  const required = (schema['required'] ?? []) as string[]
  const rows = properties.map(([name, field]) => {
    const isRequired = required.includes(name)
    return [
      `<code>${escapeHtml(name)}</code>${isRequired ? '' : ' <small>optional</small>'}`,
      typeWords(field, isRequired),
      inline(String(field['description'] ?? '')),
    ]
  })
  return table(rows)
}

/** The type of a value with its bounds, in a few words. What may be absent may be null as well. */
function typeWords(schema: JsonSchema, saysNull = true): string {
  const { $ref, anyOf, items, format, pattern, minimum, maximum, minLength, maxLength } =
    schema as any
  if ($ref) return objectLink($ref as string)
  if (anyOf) return (anyOf as JsonSchema[]).map((one) => typeWords(one)).join(' or ')
  if (items) return `array of ${typeWords(items as JsonSchema)}`
  const values = (schema['enum'] ?? (schema['const'] === undefined ? null : [schema['const']])) as
    unknown[] | null
  if (values) {
    return values
      .filter((value) => value !== null)
      .map((value) => `<code>${escapeHtml(JSON.stringify(value))}</code>`)
      .join(' ')
  }
  const types = [schema['type'] ?? 'any'].flat().map(String)
  const name = format === 'binary' ? 'bytes' : types.filter((type) => type !== 'null').join(' or ')
  const isNullable = saysNull && types.length > 1 && types.includes('null')
  const shown = format && !/^(int64|binary)$/.test(format) ? ` (${format})` : ''
  const bounds = [
    rangeWords(minimum, maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum, ''),
    rangeWords(minLength, maxLength, ' characters'),
    pattern && !format ? `<code>${escapeHtml(String(pattern))}</code>` : '',
  ].filter(Boolean)
  return [`${name}${shown}${isNullable ? ' or null' : ''}`, ...bounds].join(', ')
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
  return `<div class="wide" tabindex="0"><table class="fields"><tbody>${lines.join('\n')}</tbody></table></div>`
}

function paragraphs(text: string): string {
  return text
    .split('\n\n')
    .map((paragraph) => `<p>${inline(paragraph)}</p>`)
    .join('\n')
}

/** Text with `code` and **stress** in it. */
function inline(text: string): string {
  return escapeHtml(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
}
