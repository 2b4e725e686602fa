import type { GenericSchema, InferOutput } from 'valibot'
import type { Actor, TokenScope, UserActor } from '../lib/actor.ts'
import type { ErrorCode } from '../lib/errors.ts'
import type { PackedList } from '../lib/packed-list.ts'
import type { Answer } from './answer.ts'
import type { RequestContext } from './request-context.ts'

/**
 * Who may call: `none` never looks at account credentials, `user` needs a session, `admin` an
 * administrator's, `uploader` a session or the upload token of the draft.
 */
export type Audience = 'none' | 'user' | 'admin' | 'uploader'

/** How the body is read, before `handle`: parsed as JSON, or left to the handler to stream. */
export type BodySpec = JsonBodySpec | ListBodySpec | MultipartBodySpec

export interface JsonBodySpec<Schema extends GenericSchema = GenericSchema> {
  readonly kind: 'json'
  readonly schema: Schema
  /** Larger ones are 413. */
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
}

/** A file part and text fields; the handler reads them as they come. */
export interface MultipartBodySpec {
  readonly kind: 'multipart'
  readonly file: string
  readonly fields: GenericSchema
}

/** Header fields that only some answers carry; the others follow from status and method. */
export type AnswerHeader = 'Set-Cookie' | 'ETag' | 'Vary' | 'Link' | 'Content-Disposition'

export interface AnswerSpec {
  readonly description: string
  /** Absent for answers without a JSON body. */
  readonly schema?: GenericSchema
  /** Content type of answers that are not JSON; a range where the file decides. */
  readonly contentType?: string
  /** Another type the same can be had as, by `Accept`. */
  readonly alternative?: string
  /** What it carries beside what its kind always does; absent in some answers. */
  readonly headers?: readonly AnswerHeader[]
}

/** What a credential must be, beyond belonging to an account. */
export interface CredentialRules {
  /** What an API token needs; `login` is for what decides over an account: no token has it. */
  readonly scope?: TokenScope | 'login'
  /** Open also to whoever has yet to set up the second factor that the settings require. */
  readonly beforeEnrolment?: true
}

type ActorOf<A extends Audience> = A extends 'none'
  ? null
  : A extends 'uploader'
    ? Actor
    : UserActor

/** What is known of a request before its query and body are checked. */
export interface LoadCall<A extends Audience = Audience> {
  readonly context: RequestContext
  readonly actor: ActorOf<A>
  readonly params: Readonly<Record<string, string>>
  /** The query as it came. */
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
}

/**
 * One declaration an operation. Router, guards, validation, limiter, the OpenAPI description and
 * the tests all read it; nothing about an operation is said twice.
 */
export interface Operation extends CredentialRules {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly summary: string
  /** What the summary has no room for. */
  readonly description?: string
  /** Kept for clients that know it: there is another way, which the summary names. */
  readonly deprecated?: true
  readonly tag: string
  readonly auth: Audience
  /**
   * Token of a link that is looked at beside or in place of an account's: of a link unlocked with
   * its password, or of an upload begun at it. For the description; the handler reads it.
   */
  readonly linkToken?: 'unlock' | 'upload'
  /**
   * `valid`: every well-formed request counts; `authorised`: counted once it may act; `handler`:
   * the handler takes the token.
   */
  readonly limit?: { readonly name: string; readonly counts: 'valid' | 'authorised' | 'handler' }
  readonly query?: GenericSchema
  readonly body?: BodySpec
  readonly answers: Readonly<Record<number, AnswerSpec>>
  readonly errors: readonly ErrorCode[]
  /**
   * Existence, ownership and state of the thing in the path: before query and body are looked at.
   */
  load?(call: LoadCall): Promise<unknown>
  handle(call: Call, loaded: unknown): Promise<Answer>
}

/** No operation for accounts without a scope; of public ones, what their owner needs for more. */
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
      ? { items: PackedList<InferOutput<Item>>; rest: InferOutput<Rest> }
      : undefined

/** Declares an operation with its types inferred from its schemas. */
export function operation<
  A extends Audience,
  Body extends BodySpec | undefined = undefined,
  Query extends GenericSchema | undefined = undefined,
  Loaded = undefined,
>(declared: TypedOperation<A, Body, Query, Loaded> & Scoped<A>): Operation {
  return declared as unknown as Operation
}

/** The same operation by a former method or path, described as deprecated. */
export function aliasOf(
  operation: Operation,
  alias: Pick<Operation, 'id'> & Partial<Pick<Operation, 'method' | 'path'>>,
): Operation {
  const summary = `The same as \`${alias.method ? operation.method : operation.path}\``
  return { ...operation, ...alias, summary, deprecated: true }
}

/** The answers of an asset: the same until its tag changes (see http/send.ts). */
export function assetAnswers(
  answer: AnswerSpec,
  headers: readonly AnswerHeader[] = ['ETag'],
): Record<200 | 304, AnswerSpec> {
  return { 200: { ...answer, headers }, 304: { description: 'Not modified', headers } }
}

/** Enough for every field that is no text of many lines. */
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
): ListBodySpec<Item, Rest> {
  return { kind: 'list', list, item, rest }
}
