import type { BodySpec } from '../http/operation.ts'
import { mapValues, withoutNull, type Components, type JsonSchema } from './json-schema.ts'

export function describeBody(body: BodySpec, components: Components): JsonSchema {
  switch (body.kind) {
    case 'json': {
      const schema = components.ofInput(body.schema)
      return content('application/json', schema, requires(schema, components))
    }
    case 'list': {
      const { properties, required = [] } = fieldsOf(components.ofInput(body.rest))
      const list = { type: 'array', items: components.ofInput(body.item) }
      return content('application/json', {
        type: 'object',
        required: [body.list, ...required],
        properties: { [body.list]: list, ...properties },
      })
    }
    case 'multipart': {
      const { properties, required = [] } = fieldsOf(components.ofInput(body.fields))
      const file = {
        type: 'string',
        format: 'binary',
        contentMediaType: 'application/octet-stream',
        description: 'The bytes; this part may come before or after the others',
      }
      return content('multipart/form-data', {
        type: 'object',
        required: [body.file, ...required],
        properties: { [body.file]: file, ...mapValues(properties, withoutNull) },
      })
    }
  }
}

function fieldsOf(schema: JsonSchema): {
  readonly properties: Record<string, JsonSchema>
  readonly required?: readonly string[]
} {
  return schema as ReturnType<typeof fieldsOf>
}

/** No body is `{}`, so a body is required only where a field is. */
function requires(schema: JsonSchema, { schemas }: Components): boolean {
  const name =
    String(schema['$ref'] ?? '')
      .split('/')
      .at(-1) ?? ''
  return 'required' in (schemas[name] ?? schema)
}

function content(type: string, schema: JsonSchema, required = true): JsonSchema {
  return { ...(required ? { required } : {}), content: { [type]: { schema } } }
}
