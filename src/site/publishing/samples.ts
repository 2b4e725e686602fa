import {
  resolve,
  type Content,
  type DescribedAnswer,
  type DescribedOperation,
  type Document,
  type JsonSchema,
  type Parameter,
} from '../description/document.ts'

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
  const isOpen = operation.security.length === 0 || operation.security.some(isNothing)
  const isFile = Object.keys(contentOf(operation)).some((type) => /zip|\*\/\*/.test(type))
  const deps = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$${baseOf(operation, root)}${target}"`,
    ...(isOpen ? [] : ['-H "Authorization: Bearer $token"']),
    ...bodyParts(operation, root),
    ...(isFile ? ['-O -J'] : []),
  ]
  return deps.join(' \\\n  ')
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

export function parametersOf({ parameters = [] }: DescribedOperation, root: Document): Parameter[] {
  return parameters.map((one) => resolve<Parameter>(one, root))
}

/** The content of a successful answer, by type. */
export function contentOf({ responses }: DescribedOperation): Content {
  return (responses['200'] as DescribedAnswer | undefined)?.content ?? {}
}

/** Whether an alternative requires no credentials. */
export function isNothing(way: object): boolean {
  return Object.keys(way).length === 0
}
