import { toJsonSchema } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'
import type { DescribedAnswer, JsonSchema, Reference } from './document.ts'

/** Rules that code checks and JSON Schema cannot express. */
const unsayable = ['check', 'raw_check', 'trim', 'normalize', 'transform'] as const

/** Named schemas, collected while schemas that contain them are converted. */
export class Components {
  readonly schemas: Record<string, JsonSchema> = {}
  readonly responses: Record<string, DescribedAnswer> = {}

  ofInput(schema: GenericSchema): JsonSchema {
    return this.#convert(schema, 'input')
  }

  ofOutput(schema: GenericSchema): JsonSchema {
    return this.#convert(schema, 'output')
  }

  add(name: string, schema: JsonSchema): Reference {
    putOnce(this.schemas, name, schema)
    return refTo(name)
  }

  addResponse(name: string, response: DescribedAnswer): Reference {
    putOnce(this.responses, name, response)
    return { $ref: `#/components/responses/${name}` }
  }

  #convert(schema: GenericSchema, typeMode: 'input' | 'output'): JsonSchema {
    const converted = toJsonSchema(schema, {
      target: 'draft-2020-12',
      typeMode,
      ignoreActions: [...unsayable],
      // Patterns in JSON Schema are always Unicode, the one flag of ours.
      overrideAction: ({ valibotAction, jsonSchema, errors }) =>
        valibotAction.type === 'regex' && errors?.length === 1 ? jsonSchema : null,
    })
    return this.#tidy(converted as unknown as JsonSchema)
  }

  /** Shortens the converted schema, and moves named ones to the components. */
  #tidy(schema: JsonSchema): JsonSchema {
    const { name, json, ...rest } = schema as Record<string, unknown>
    if (json) return json as JsonSchema
    const tidied: Record<string, unknown> = {}
    for (const [key, value] of Object.entries(rest)) {
      if (saysNothing(key, value)) continue
      tidied[key] = this.#tidyValue(key, value)
    }
    if (tidied['type'] === 'integer') tidied['format'] = 'int64'
    const whole = mergeNull(tidied)
    return typeof name === 'string' ? this.add(name, whole) : whole
  }

  #tidyValue(key: string, value: unknown): unknown {
    switch (key) {
      case 'properties':
        return Object.fromEntries(
          Object.entries(value as Record<string, JsonSchema>).map(([field, schema]) => [
            field,
            this.#tidy(schema),
          ]),
        )
      case 'anyOf':
      case 'oneOf':
      case 'allOf':
        return (value as JsonSchema[]).map((option) => this.#tidy(option))
      case 'items':
      case 'additionalProperties':
        return isEmpty(value) ? true : this.#tidy(value as JsonSchema)
      default:
        return value
    }
  }
}

/** @throws Error when another value has the name */
function putOnce<T>(values: Record<string, T>, name: string, value: T): void {
  if (JSON.stringify(values[name] ?? value) !== JSON.stringify(value)) {
    throw new Error(`two components are named ${name}`)
  }
  values[name] = value
}

export function refTo(name: string): Reference {
  return { $ref: `#/components/schemas/${name}` }
}

/** Removes null where a value cannot be null, for example in a query. */
export function withoutNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values, anyOf, ...rest } = schema
  const types = [type ?? []].flat().filter((name) => name !== 'null')
  return {
    ...(types.length > 0 ? { type: types.length === 1 ? types[0]! : types } : {}),
    ...(values ? { enum: values.filter((value) => value !== null) } : {}),
    ...(anyOf ? { anyOf: anyOf.filter((option) => option.type !== 'null') } : {}),
    ...rest,
  }
}

/** Turns `anyOf` of one type and null into a list of types. */
function mergeNull(schema: JsonSchema): JsonSchema {
  const { anyOf = [], ...rest } = schema
  const other = anyOf.find((option) => option.type !== 'null')
  const isNullable = anyOf.some((option) => option.type === 'null')
  if (anyOf.length !== 2 || !isNullable || !other || other.$ref) return schema
  if (other.anyOf) return { ...rest, anyOf: [...other.anyOf, { type: 'null' }] }
  const { type, const: constant, enum: values, ...more } = other
  if (constant !== undefined) return { type: ['string', 'null'], enum: [constant, null], ...rest }
  return {
    type: [type ?? [], 'null'].flat(),
    ...(values ? { enum: [...values, null] } : {}),
    ...more,
    ...rest,
  }
}

export function mapValues<T, U>(
  object: Record<string, T>,
  change: (value: T) => U,
): Record<string, U> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
}

/**
 * Drops redundant keywords: OpenAPI's dialect, string keys, nothing required, no minimum length.
 */
function saysNothing(key: string, value: unknown): boolean {
  if (key === 'propertyNames' || key === '$schema') return true
  return key === 'required' ? isEmpty(value) : key === 'minLength' && value === 0
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
