/** A JSON Schema (2020-12), as OpenAPI 3.1 uses it. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: JsonSchema | boolean
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly [word: string]: unknown
}

export type Reference = { readonly $ref: string }

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly description?: string
  readonly required?: boolean
  readonly schema: JsonSchema
}

export interface Header {
  readonly description: string
  readonly required?: boolean
  readonly schema: JsonSchema
}

/** By content type. */
export type Content = Readonly<
  Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>
>

export interface Body {
  readonly description?: string
  readonly required?: boolean
  readonly content: Content
}

export interface DescribedAnswer {
  readonly description: string
  readonly headers?: Readonly<Record<string, Header | Reference>>
  readonly content?: Content
}

export interface Server {
  readonly url: string
  readonly description: string
}

/** Alternative security schemes; `{}` means none. */
export type Security = readonly Readonly<Record<string, readonly string[]>>[]

export interface DescribedOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly security: Security
  /** Servers of the path, unless it is on the first one. */
  readonly servers?: readonly Server[]
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: Body
  readonly responses: Readonly<Record<string, DescribedAnswer | Reference>>
}

/** The parts of an OpenAPI document that we use. */
export interface Document {
  readonly openapi: string
  readonly info: Readonly<Record<string, unknown>> & { readonly description: string }
  readonly servers: readonly Server[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly responses: Readonly<Record<string, DescribedAnswer>>
    readonly headers: Readonly<Record<string, Header>>
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly securitySchemes: Readonly<Record<string, object>>
  }
}

/** Follows a reference within the document. */
export function resolve<T extends object>(value: T | Reference, root: Document): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T
  const names = value.$ref.slice(2).split('/')
  return names.reduce<unknown>((place, name) => (place as Record<string, unknown>)[name], root) as T
}
