import { tokenScopes } from '../../lib/actor.ts'
import { CodedError, type ErrorCode } from '../../lib/errors.ts'
import { describeHeaders, headersOfErrors, headersOfAttempts } from './headers.ts'
import { resolve } from './document.ts'
import type { DescribedAnswer, Document, JsonSchema, Reference } from './document.ts'
import { refTo, type Components } from './json-schema.ts'

/**
 * The two forms of errors: the product's, and problem details (RFC 9457) on the documentation site.
 */
export type ErrorStyle = 'product' | 'problem'

const size = { type: 'integer', format: 'int64', minimum: 0 }
const bytes = { ...size, description: 'Bytes' }
const limit = { ...size, description: 'The limit' }
const text = (description: string) => ({ type: 'string', description })
const invalidField = text('The invalid field')

/** Fields of an ended link: since when, and the person to ask. */
const ended = {
  since: { type: 'string', format: 'date-time', description: 'When the link expired or closed' },
  ownerName: text('Name of the owner; can be empty'),
}

/** Fields of an error beside `error` and `code`, from its `details`. */
const details: Partial<Record<ErrorCode, Readonly<Record<string, JsonSchema>>>> = {
  invalid_input: {
    field: invalidField,
    reason: {
      type: 'string',
      enum: ['common_password'],
      description: '`common_password`: attackers try this password first',
    },
  },
  api_token_not_allowed: { field: text('The field that API tokens cannot change') },
  confirmation_required: {
    field: text('The field that requires it'),
    factors: {
      type: 'string',
      enum: ['one', 'all'],
      description: '`one`: password or code; `all`: password and code. A passkey does for both',
    },
  },
  insufficient_scope: {
    scope: { type: 'string', enum: [...tokenScopes], description: 'The missing scope' },
  },
  second_factor_required: {
    operation: {
      type: 'string',
      enum: ['setupSecondFactor'],
      description: 'The operation to call first',
    },
  },
  proof_required: {
    proof: {
      type: 'string',
      enum: ['code', 'account'],
      description:
        '`code`: POST /api/shares/{shareId}/code emails one; `account`: sign in to the account ' +
        'with this email address',
    },
    address: text('Email address of the person, with its name hidden'),
  },
  wrong_password: { valid: { type: 'boolean', enum: [false] } },
  incomplete_upload: {
    missing: {
      type: 'array',
      maxItems: 100,
      description: 'Missing chunks, as index ranges',
      items: refTo('MissingChunks'),
    },
  },
  size_mismatch: {
    fileId: text('The file with the wrong size'),
    received: { ...bytes, description: 'Received bytes' },
    size: bytes,
  },
  unlisted: {
    unlisted: {
      type: 'array',
      items: { type: 'string' },
      description: 'The fileIds with received chunks',
    },
  },
  blocked_extension: { name: text('The refused file') },
  extension_not_allowed: {
    name: text('The refused file'),
    allowed: {
      type: 'array',
      items: { type: 'string' },
      description: 'Allowed extensions, without the dot',
    },
  },
  file_damaged: {
    damaged: {
      type: 'array',
      maxItems: 100,
      description:
        'The damaged files. Use `?files=` with the ids of the others to get an archive ' +
        'without them',
      items: {
        type: 'object',
        required: ['id', 'name'],
        properties: { id: size, name: { type: 'string' } },
      },
    },
  },
  expired: ended,
  closed: ended,
  download_limit: { ownerName: ended.ownerName },
  slug_taken: { field: invalidField },
  too_many_passkeys: { limit },
  too_many_tokens: { limit },
  too_many_contacts: { limit },
  payload_too_large: { limit, field: invalidField },
  file_too_large: { limit, size: bytes },
  share_too_large: { limit, size: bytes },
  quota_exceeded: { quota: bytes, used: bytes },
  disk_full: {
    disk: {
      type: 'string',
      enum: ['files', 'database'],
      description: 'The full disk',
    },
    needed: bytes,
    available: bytes,
  },
}

const missingChunks = {
  type: 'object',
  description:
    'A gap between chunks (`from`, `to`), or missing bytes at the end (`from`, `bytes`).',
  required: ['fileId', 'from'],
  properties: {
    fileId: { type: 'string' },
    from: { ...size, description: 'Index of the first missing chunk' },
    to: { ...size, description: 'Index of the last missing chunk' },
    bytes: { ...size, description: 'Bytes missing at the end of the file' },
  },
}

export function addErrorSchemas(components: Components): void {
  components.add('ProductError', {
    type: 'object',
    description: 'Every error of the product. `code` is stable; `error` is for people.',
    required: ['error', 'code'],
    properties: {
      error: { type: 'string', minLength: 1, description: 'What happened and what to do' },
      code: { type: 'string', pattern: '^[a-z][a-z0-9_]*$', description: 'Error code' },
    },
  })
  components.add('Problem', {
    type: 'object',
    description: 'Every error of the documentation site (RFC 9457).',
    required: ['type', 'title', 'status', 'detail', 'code'],
    properties: {
      type: { type: 'string', format: 'uri', description: 'URI of the problem type' },
      title: text('Title of the problem type'),
      status: { type: 'integer', minimum: 400, maximum: 599, description: 'The HTTP status' },
      detail: text('Details of this problem'),
      code: { type: 'string', pattern: '^[a-z][a-z0-9_]*$', description: 'Error code' },
      resolution_hint: text('What to do'),
    },
  })
  components.add('MissingChunks', missingChunks)
}

/** Error answers of one operation: one per status, with the codes that may occur in it. */
export function describeErrors(
  codes: ReadonlySet<ErrorCode>,
  style: ErrorStyle,
  components: Components,
): Record<string, DescribedAnswer> {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of codes) {
    const { status } = new CodedError(code)
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const statuses = [...byStatus].toSorted(([left], [right]) => left - right)
  return Object.fromEntries(
    statuses.map(([status, found]) => [status, describeError(status, found, style, components)]),
  )
}

function describeError(
  status: number,
  codes: readonly ErrorCode[],
  style: ErrorStyle,
  components: Components,
): DescribedAnswer {
  const names = [
    ...(headersOfErrors[status] ?? []),
    ...(codes.includes('wrong_password') ? headersOfAttempts : []),
  ]
  const type = style === 'product' ? 'application/json' : 'application/problem+json'
  const kinds = codes.map((code) => addErrorSchema(code, style, components))
  return {
    description: codes.length === 1 ? sentenceOf(codes[0]!) : codes.map(quoted).join(', '),
    ...(names.length > 0 ? { headers: describeHeaders(names) } : {}),
    content: {
      [type]: {
        schema: kinds.length === 1 ? kinds[0]! : { anyOf: kinds },
        ...(style === 'product' && {
          example: { error: new CodedError(codes[0]!).message, code: codes[0] },
        }),
      },
    },
  }
}

/** The schema of one error, named after its code: `cross_site` is `CrossSite`. */
function addErrorSchema(code: ErrorCode, style: ErrorStyle, components: Components): Reference {
  const words = code.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  const name = words.join('')
  const isProduct = style === 'product'
  return components.add(isProduct ? name : `${name}Problem`, {
    description: sentenceOf(code),
    allOf: [
      refTo(isProduct ? 'ProductError' : 'Problem'),
      {
        type: 'object',
        properties: {
          code: { type: 'string', enum: [code] },
          ...(isProduct ? details[code] : {}),
        },
      },
    ],
  })
}

/** The codes of an error's schema; empty for any other schema. */
export function codesOf(schema: JsonSchema, root: Document): string[] {
  const kinds = schema.anyOf ?? [schema]
  return kinds.flatMap((kind) => {
    const { allOf } = resolve<JsonSchema>(kind, root)
    return (allOf?.[1]?.properties?.['code']?.enum ?? []) as string[]
  })
}

function sentenceOf(code: ErrorCode): string {
  return `${quoted(code)}: ${new CodedError(code).message}`
}

function quoted(code: ErrorCode): string {
  return `\`${code}\``
}
