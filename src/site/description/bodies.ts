import type { BodySpec } from '../../http/operation.ts'
import type { Body, JsonSchema } from './document.ts'
import { withoutNull, mapValues, type Components } from './json-schema.ts'

export function describeBody(body: BodySpec, components: Components): Body {
  switch (body.kind) {
    case 'json': {
      const schema = components.ofInput(body.schema)
      return content('application/json', schema, requires(schema, components))
    }
    case 'list': {
      const { properties, required = [] } = components.ofInput(body.rest)
      const items = { type: 'array', items: components.ofInput(body.item) }
      const list =
        body.word === undefined ? items : { anyOf: [items, { type: 'string', enum: [body.word] }] }
      const object = {
        type: 'object',
        required: [body.list, ...required],
        properties: { [body.list]: list, ...properties },
      }
      const description = 'Can be compressed: `Content-Encoding: gzip`'
      return { description, ...content('application/json', object) }
    }
    case 'binary': {
      const { contentType, description } = body
      const schema = { type: 'string', format: 'binary', contentMediaType: contentType }
      return { description, ...content(contentType, schema) }
    }
    case 'multipart': {
      const { properties = {}, required = [] } = components.ofInput(body.fields)
      const file = {
        type: 'string',
        format: 'binary',
        contentMediaType: 'application/octet-stream',
        description: 'The bytes; this part can come before or after the others',
      }
      return content('multipart/form-data', {
        type: 'object',
        required: [body.file, ...required],
        properties: { [body.file]: file, ...mapValues(properties, withoutNull) },
      })
    }
  }
}

/** A missing body counts as `{}`, so a body is required only if a field is. */
function requires(schema: JsonSchema, { schemas }: Components): boolean {
  const named = schemas[schema.$ref?.split('/').at(-1) ?? '']
  return (named ?? schema).required !== undefined
}

function content(type: string, schema: JsonSchema, required = true): Body {
  return { ...(required ? { required } : {}), content: { [type]: { schema } } }
}
