import * as v from 'valibot'
import { CodedError } from '../lib/errors.ts'
import { PackedList } from '../lib/packed-list.ts'
import { declaredLength, feedBody, hasBody } from './body.ts'
import type { RequestContext } from './request-context.ts'
import { JsonSplitter } from './json-splitter.ts'
import type { JsonBodySpec, ListBodySpec } from './operation.ts'
import { feedUnpacked, isPacked } from './packed-body.ts'
import { parseInput } from './schema.ts'

/** Longer lists, uncompressed, wait for a permit. */
const shortListBytesMax = 1024 * 1024
/** Smaller bodies are not counted, because the number of connections is bounded. */
const smallBytesMax = 4 * 1024
const listBytesMax = 64 * 1024 * 1024
/** Limit of the text around the list. */
const restBytesMax = 96 * 1024
/** Items stay in memory, packed, until the handler has finished. */
const listItemsMax = 250_000

/**
 * The JSON body, checked against its schema. A missing or empty body counts as `{}`.
 * @throws CodedError invalid_content_type, invalid_json, invalid_input, payload_too_large
 */
export async function readJson<Schema extends v.GenericSchema>(
  context: RequestContext,
  { schema, bytesMax }: JsonBodySpec<Schema>,
): Promise<v.InferOutput<Schema>> {
  if (!hasBody(context)) return parseInput(schema, {})
  checkContentType(context)
  const splitter = new JsonSplitter(null, bytesMax, () => {})
  await feedBody(context, bytesMax, (data) => splitter.take(data))
  return parseInput(schema, splitter.isEmpty ? {} : splitter.finish())
}

export function mayBeLong(context: RequestContext): boolean {
  return isChunked(context) || isPacked(context) || declaredLength(context) > shortListBytesMax
}

/** Whether a body that is read whole takes so much memory that it must be counted. */
export function isCountedBody(context: RequestContext): boolean {
  return hasBody(context) && (isChunked(context) || declaredLength(context) > smallBytesMax)
}

/**
 * A body with one long list, parsed as it arrives, so that 64 MiB of it neither delay other
 * requests nor stay in memory as text. Items are checked one by one. The body may be compressed
 * with gzip, because proxies limit the size of bodies.
 * @param onLong called once, when the list has more than a megabyte; reading goes on afterwards
 * @returns the checked items in order, null when the word stands there; and the other keys checked
 *   against `rest`
 */
export async function readJsonList(
  context: RequestContext,
  spec: ListBodySpec,
  onLong: () => Promise<void>,
): Promise<{ items: PackedList<unknown> | null; rest: unknown }> {
  if (!hasBody(context)) throw missingList(spec.list)
  checkContentType(context)
  const items = new PackedList<unknown>()
  const splitter = new JsonSplitter(spec.list, restBytesMax, (item) => {
    if (items.length >= listItemsMax) throw tooManyItems(spec)
    items.push(parseInput(spec.item, item, `${spec.list}[${items.length}]`))
  })
  let isLong = false
  await feedUnpacked(context, listBytesMax, (data) => {
    splitter.take(data)
    if (isLong || context.unpackedBytes <= shortListBytesMax) return
    isLong = true
    return onLong()
  })
  const rest = splitter.finish()
  const value = rest[spec.list]
  const isWord = value !== undefined && value === spec.word
  if (isWord === splitter.hasList || !(isWord || Array.isArray(value))) throw missingList(spec.list)
  return { items: isWord ? null : items, rest: parseInput(spec.rest, rest) }
}

function isChunked(context: RequestContext): boolean {
  return hasBody(context) && declaredLength(context) === 0
}

/**
 * `application/json` with any parameters. A missing content type is accepted only without an
 * Origin: a form on another site can post text, but always sends one.
 */
function checkContentType(context: RequestContext): void {
  const contentType = context.header('content-type')
  if (contentType === undefined && context.header('origin') === undefined) return
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase()
  if (type === 'application/json') return
  throw new CodedError('invalid_content_type', {
    message: 'Send the body as application/json.',
  })
}

function tooManyItems({ list, word }: ListBodySpec): CodedError {
  const way = word === undefined ? '' : `; send "${list}": "${word}" instead`
  return new CodedError('payload_too_large', {
    message: `${list}: must have at most ${listItemsMax} items${way}`,
    details: { field: list, limit: listItemsMax },
  })
}

function missingList(list: string): CodedError {
  return new CodedError('invalid_input', {
    message: `${list}: must be an array`,
    details: { field: list },
  })
}
