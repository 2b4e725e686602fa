import type { GenericSchema, InferOutput } from 'valibot'
import type { Actor, TokenScope, UserActor } from '../lib/actor.ts'
import type { ErrorCode } from '../lib/errors.ts'
import type { PackedList } from '../lib/packed-list.ts'
import type { Answer } from './answer.ts'
import type { RequestContext } from './request-context.ts'

/**
 * Required credentials: `none` ignores accounts, `user` needs a session, `admin` an
 * administrator's, `uploader` a session or the upload token of the draft.
 */
export type Audience = 'none' | 'user' | 'admin' | 'uploader'

/** How the body is read before `handle`: parsed as JSON, or left to the handler to stream. */
export type BodySpec = JsonBodySpec | ListBodySpec | MultipartBodySpec | BinaryBodySpec

export interface JsonBodySpec<Schema extends GenericSchema = GenericSchema> {
  readonly kind: 'json'
  readonly schema: Schema
  /** Larger bodies get 413. */
  readonly bytesMax: number
}

/** A JSON object with one list that may be very long, and a few other keys. */
export interface ListBodySpec<
  Item extends GenericSchema = GenericSchema,
  Rest extends GenericSchema = GenericSchema,
> {
  readonly kind: 'list'
  readonly list: string
  readonly item: Item
  readonly rest: Rest
  /** A word that may stand in place of the list; the items are null then. */
  readonly word?: string
}

/** A file part and text fields, which the handler streams. */
export interface MultipartBodySpec {
  readonly kind: 'multipart'
  readonly file: string
  readonly fields: GenericSchema
}

/** Headers that only some answers carry; others follow from status and method. */
export type AnswerHeader =
  | 'Set-Cookie'
  | 'ETag'
  | 'Vary'
  | 'Link'
  | 'Location'
  | 'Content-Disposition'

export interface BinaryBodySpec {
  readonly kind: 'binary'
  readonly contentType: string
  readonly description: string
}

export interface AnswerSpec {
  readonly description: string
  /** Absent for answers without a JSON body. */
  readonly schema?: GenericSchema
  /** Content type of answers that are not JSON; a range where the file decides. */
  readonly contentType?: string
  /** Another content type that `Accept` or a query field may choose. */
  readonly alternative?: string
  /** Additional headers, possibly absent in some answers. */
  readonly headers?: readonly AnswerHeader[]
}

/** Requirements for a credential, beyond belonging to an account. */
export interface CredentialRules {
  /** Scope that an API token needs; `session` for changes of accounts, which no token
   * may make. */
  readonly scope?: TokenScope | 'session'
  /** Open also to users who still have to set up a required second factor. */
  readonly beforeEnrolment?: true
}

type ActorOf<A extends Audience> = A extends 'none'
  ? null
  : A extends 'uploader'
    ? Actor
    : UserActor

/** The part of a request that is known before query and body are checked. */
export interface LoadCall<A extends Audience = Audience> {
  readonly context: RequestContext
  readonly actor: ActorOf<A>
  readonly params: Readonly<Record<string, string>>
  /** The unchecked query. */
  readonly search: URLSearchParams
  readonly ip: string
}

export interface Call<
  A extends Audience = Audience,
  Body = unknown,
  Query = unknown,
> extends LoadCall<A> {
  readonly query: Query
  readonly body: Body
  /**
   * Repeats the checks before the body, for a handler that reads a long one itself.
   * @param ageMsMax how old the last checks may be; younger ones are not repeated
   * @throws CodedError when the credentials or the state no longer allow the request
   */
  readonly lookAgain: LookAgain
}

export type LookAgain = (ageMsMax: number) => void | Promise<void>

/**
 * One declaration per operation. Router, guards, validation, limiter, the OpenAPI description and
 * the tests all read it, so that no fact about an operation is stated twice.
 */
export interface Operation extends CredentialRules {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly summary: string
  readonly description?: string
  /** Asked by monitors again and again: answers with 200 are logged at debug level only. */
  readonly isProbe?: true
  /** Kept for existing clients; the summary names the replacement. */
  readonly deprecated?: true
  readonly tag: string
  readonly auth: Audience
  /**
   * Token of a link that is read beside or instead of account credentials: of an unlocked link, or
   * of an upload through it. Only for the description; the handler reads the token.
   */
  readonly linkToken?: 'unlock' | 'upload'
  /**
   * `valid`: every well-formed request counts; `authorised`: counted once credentials and rights
   * are checked; `handler`: the handler takes the token.
   */
  readonly limit?: { readonly name: string; readonly counts: 'valid' | 'authorised' | 'handler' }
  readonly query?: GenericSchema
  readonly body?: BodySpec
  readonly answers: Readonly<Record<number, AnswerSpec>>
  /** Those that do not follow from the rest: see site/description/responses.ts. */
  readonly errors?: readonly ErrorCode[]
  /** Checks existence, ownership and state of the object in the path, before query and body. */
  load?(call: LoadCall): Promise<unknown>
  handle(call: Call, loaded: unknown): Promise<Answer>
}

/**
 * Operations for accounts need a scope; public ones may name one for the owner's additional rights.
 */
type Scoped<A extends Audience> = A extends 'none'
  ? { readonly scope?: TokenScope }
  : Required<Pick<CredentialRules, 'scope'>>

interface TypedOperation<
  A extends Audience,
  Body extends BodySpec | undefined,
  Query extends GenericSchema | undefined,
  Loaded,
> extends Omit<Operation, 'auth' | 'scope' | 'body' | 'query' | 'load' | 'handle'> {
  readonly auth: A
  readonly body?: Body
  readonly query?: Query
  load?(call: LoadCall<A>): Promise<Loaded>
  handle(call: Call<A, BodyOf<Body>, OutputOf<Query>>, loaded: Loaded): Promise<Answer>
}

type OutputOf<Schema> = Schema extends GenericSchema ? InferOutput<Schema> : undefined
type BodyOf<Body> =
  Body extends JsonBodySpec<infer Schema>
    ? InferOutput<Schema>
    : Body extends ListBodySpec<infer Item, infer Rest>
      ? { items: PackedList<InferOutput<Item>> | null; rest: InferOutput<Rest> }
      : undefined

/** Declares an operation with types inferred from its schemas. */
export function operation<
  A extends Audience,
  Body extends BodySpec | undefined = undefined,
  Query extends GenericSchema | undefined = undefined,
  Loaded = undefined,
>(declared: TypedOperation<A, Body, Query, Loaded> & Scoped<A>): Operation {
  return declared as unknown as Operation
}

/** The same operation by PUT, which `curl -T` and other programs use to send a stream. */
export function byPut(operation: Operation): Operation {
  const summary = `The same as \`${operation.method} ${operation.path}\`, as \`curl -T\` sends it`
  return { ...operation, id: `${operation.id}ByPut`, method: 'PUT', summary }
}

/** The answer of an operation that has one, in JSON. */
export function ok(
  description: string,
  schema: GenericSchema,
  headers?: readonly AnswerHeader[],
): Record<200, AnswerSpec> {
  return { 200: { description, schema, ...(headers && { headers }) } }
}

/** The answers of an asset, which may be 304 (see http/send.ts). */
export function assetAnswers(
  answer: AnswerSpec,
  headers: readonly AnswerHeader[] = ['ETag'],
): Record<200 | 304, AnswerSpec> {
  return { 200: { ...answer, headers }, 304: { description: 'Not modified', headers } }
}

/** What administrators, their tools and monitors use. */
export const administration = {
  tag: 'Administration',
  auth: 'admin',
  scope: 'administer',
} as const

/** Enough for every field except texts of many lines. */
const jsonBytesMax = 64 * 1024
/** For bodies with a message and recipients, each character of them written as `\uXXXX`. */
export const textBytesMax = 256 * 1024

export function jsonBody<Schema extends GenericSchema>(
  schema: Schema,
  bytesMax = jsonBytesMax,
): JsonBodySpec<Schema> {
  return { kind: 'json', schema, bytesMax }
}

export function listBody<Item extends GenericSchema, Rest extends GenericSchema>(
  list: string,
  item: Item,
  rest: Rest,
  word?: string,
): ListBodySpec<Item, Rest> {
  return { kind: 'list', list, item, rest, ...(word === undefined ? {} : { word }) }
}
