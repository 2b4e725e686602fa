import { JSONParser } from '@streamparser/json'
import * as v from 'valibot'
import { CodedError } from '../lib/errors.ts'
import { PackedList } from '../lib/packed-list.ts'
import { declaredLength, hasBody, readBody } from './body.ts'
import type { RequestContext } from './request-context.ts'
import { JsonDepth } from './json-depth.ts'
import { keepEveryCharacter } from './json-strings.ts'
import type { JsonBodySpec, ListBodySpec } from './operation.ts'
import { feedUnpacked, isPacked } from './packed-body.ts'
import { parseInput } from './schema.ts'

/** Longer lists, uncompressed, wait for a permit. */
const shortListBytesMax = 1024 * 1024
/** Smaller bodies are not counted, because the number of connections is bounded. */
const smallBytesMax = 4 * 1024
const listBytesMax = 64 * 1024 * 1024
/** Parsed in slices, so that a value outside of the list cannot grow unnoticed. */
const parsedBytes = 16 * 1024
const valueBytesMax = 96 * 1024
/** Windows programs put it before JSON in UTF-8, which RFC 8259 section 8.1 allows to ignore. */
const byteOrderMark = [0xef, 0xbb, 0xbf] as const
const tooLong = 'A value of the body is too long.'
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
  const body = await readBody(context, bytesMax)
  return parseInput(schema, body.length === 0 ? {} : parseJson(body))
}

/** Whether a list may turn out to be long. */
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
  const items = new PackedList<unknown>()
  const rest: Record<string, unknown> = {}
  let sawList = false
  let isWord = false
  if (!hasBody(context)) throw missingList(spec.list)
  checkContentType(context)

  const parser = new JSONParser({ paths: [`$.${spec.list}.*`, '$.*'], keepStack: false })
  keepEveryCharacter(parser)
  let bytesSinceItem = 0
  parser.onValue = ({ value, key, parent, stack }) => {
    if (stack.length === 1) {
      if (key === undefined || typeof key === 'number') throw notAnObject()
      if (key === spec.list) {
        isWord = value !== undefined && value === spec.word
        if (!isWord && !Array.isArray(value)) throw missingList(spec.list)
        if (sawList)
          throw new CodedError('invalid_json', { message: `${spec.list} is given twice.` })
        sawList = true
      } else if (Object.hasOwn(ownSchema(spec.rest), key)) {
        rest[key] = value
      }
      return
    }
    if (typeof key !== 'number') throw missingList(spec.list)
    if (key >= listItemsMax) throw tooManyItems(spec.list)
    items.push(parseInput(spec.item, value, `${spec.list}[${key}]`))
    // The parser would keep every item it has handed over.
    if (Array.isArray(parent)) parent.length = 0
    bytesSinceItem = 0
  }

  const depth = new JsonDepth()
  let first = true
  let isLong = false
  let markBytes = 0
  await feedUnpacked(context, listBytesMax, (given) => {
    const data = given.subarray(markedBytes(given, markBytes))
    markBytes = markBytes < byteOrderMark.length && data.length === 0 ? markBytes + given.length : 3
    if (data.length === 0) return
    if (first) first = checkTopLevel(data)
    depth.take(data)
    try {
      for (let start = 0; start < data.length; start += parsedBytes) {
        const slice = data.subarray(start, start + parsedBytes)
        bytesSinceItem += slice.length
        if (bytesSinceItem > valueBytesMax)
          throw new CodedError('invalid_json', { message: tooLong })
        parser.write(slice)
      }
    } catch (error) {
      if (error instanceof CodedError) throw error
      throw new CodedError('invalid_json', { cause: error })
    }
    if (isLong || context.unpackedBytes <= shortListBytesMax) return
    isLong = true
    return onLong()
  })
  if (!parser.isEnded) throw new CodedError('invalid_json')
  if (!sawList) throw missingList(spec.list)
  return { items: isWord ? null : items, rest: parseInput(spec.rest, rest) }
}

/** How many of these bytes continue a byte order mark, of which some have come before. */
function markedBytes(data: Buffer, before: number): number {
  let count = 0
  while (before + count < 3 && count < data.length && data[count] === byteOrderMark[before + count])
    count += 1
  return count
}

function isChunked(context: RequestContext): boolean {
  return hasBody(context) && declaredLength(context) === 0
}

/**
 * Refuses a body that does not begin with an object. Returns whether to check further.
 */
function checkTopLevel(data: Buffer): boolean {
  for (const byte of data) {
    if (byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)) continue
    if (byte === 0x7b) return false
    throw byte === 0x5b || byte === 0x22 || byte === 0x6e
      ? notAnObject()
      : new CodedError('invalid_json')
  }
  return true
}

function ownSchema(schema: v.GenericSchema): Record<string, unknown> {
  return (schema as unknown as { entries?: Record<string, unknown> }).entries ?? {}
}

function parseJson(body: Buffer): unknown {
  new JsonDepth().take(body)
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (error) {
    throw new CodedError('invalid_json', { cause: error })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw notAnObject()
  return value
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

function notAnObject(): CodedError {
  return new CodedError('invalid_json', { message: 'The body must be a JSON object.' })
}

function tooManyItems(list: string): CodedError {
  return new CodedError('payload_too_large', {
    message: `${list}: must have at most ${listItemsMax} items`,
    details: { field: list, limit: listItemsMax },
  })
}

function missingList(list: string): CodedError {
  return new CodedError('invalid_input', {
    message: `${list}: must be an array`,
    details: { field: list },
  })
}
