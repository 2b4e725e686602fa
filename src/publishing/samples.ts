import type { JsonSchema } from '../description/json-schema.ts'

/** Follows a `$ref` within the document. */
export function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const ref = schema['$ref']
  if (typeof ref !== 'string') return schema
  const names = ref.slice(2).split('/')
  return names.reduce<any>((place, name) => place[name], root) as JsonSchema
}

/** A value that a schema allows, as people would write it. */
export function sampleOf(given: JsonSchema, root: JsonSchema): unknown {
  const schema = resolve(given, root)
  const [example] = (schema['examples'] ?? []) as unknown[]
  if (example !== undefined) return example
  if (schema['const'] !== undefined) return schema['const']
  if (schema['enum']) return (schema['enum'] as unknown[])[0]
  const options = (schema['anyOf'] ?? schema['oneOf']) as JsonSchema[] | undefined
  if (options) return sampleOf(options[0]!, root)
  switch ([schema['type']].flat()[0]) {
    case 'object':
      return Object.fromEntries(
        Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>).map(
          ([name, field]) => [name, sampleOf(field, root)],
        ),
      )
    case 'array':
      return [sampleOf(schema['items'] as JsonSchema, root)]
    case 'integer':
    case 'number':
      return (schema['minimum'] as number | undefined) ?? 1
    case 'boolean':
      return true
    case 'string':
      return samplesByFormat[String(schema['format'])] ?? '…'
    default:
      return null
  }
}

const samplesByFormat: Readonly<Record<string, string>> = {
  'date-time': '2026-11-21T15:30:00.000Z',
  email: 'ada@example.org',
  uri: 'https://files.example.org/s/mB3xK9vQ2rT7wYz5nP8dLg',
  uuid: '0b7f3c52-4c0e-4d0c-9a57-2f6a1d3e8b90',
}

/** What a client sends: everything that is required, and what has an example of its own. */
function sampleBody(given: JsonSchema, root: JsonSchema): Record<string, unknown> {
  const schema = resolve(given, root)
  const required = (schema['required'] ?? []) as string[]
  return Object.fromEntries(
    Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>)
      .filter(([name, field]) => required.includes(name) || field['examples'])
      .map(([name, field]) => [name, sampleOf(field, root)]),
  )
}

/** A call of an operation that can be pasted, once `base` and `token` are set. */
export function curlOf(
  method: string,
  path: string,
  operation: JsonSchema,
  root: JsonSchema,
): string {
  const parameters = ((operation['parameters'] ?? []) as JsonSchema[]).map((one) =>
    resolve(one, root),
  )
  const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const found = parameters.find((one) => one['in'] === 'path' && one['name'] === name)
    return String(sampleOf(found?.['schema'] as JsonSchema, root))
  })
  const parts = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$${baseOf(operation, root)}${target}"`,
  ]
  const security = operation['security'] as JsonSchema[]
  const isOpen = security.length === 0 || security.some((way) => Object.keys(way).length === 0)
  if (!isOpen) parts.push('-H "Authorization: Bearer $token"')
  parts.push(...bodyParts(operation, root))
  const isFile = Object.keys(contentOf(operation)).some((type) => /zip|\*\/\*/.test(type))
  if (isFile) parts.push('-O -J')
  return parts.join(' \\\n  ')
}

function bodyParts(operation: JsonSchema, root: JsonSchema): string[] {
  const content = (operation['requestBody'] as JsonSchema | undefined)?.['content'] as
    Record<string, { schema: JsonSchema }> | undefined
  if (!content) return []
  const [[type, { schema }]] = Object.entries(content) as [[string, { schema: JsonSchema }]]
  const body = sampleBody(schema, root)
  if (type === 'multipart/form-data') {
    const properties = schema['properties'] as Record<string, JsonSchema>
    return Object.entries(body).map(([name, value]) =>
      properties[name]!['format'] === 'binary'
        ? `-F ${name}=@chunk-0000`
        : `-F ${name}=${String(value)}`,
    )
  }
  return [
    `-H 'Content-Type: ${type}'`,
    `-d '${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')}'`,
  ]
}

/** The variable that holds the address of the server an operation is on. */
function baseOf(operation: JsonSchema, root: JsonSchema): string {
  const [main] = root['servers'] as { url: string }[]
  const servers = (operation['servers'] ?? root['servers']) as { url: string }[]
  return servers.some(({ url }) => url === main!.url) ? 'base' : 'docs'
}

/** What a success carries, by type. */
export function contentOf(operation: JsonSchema): Record<string, JsonSchema> {
  const responses = operation['responses'] as Record<string, JsonSchema>
  return (responses['200']?.['content'] ?? {}) as Record<string, JsonSchema>
}
