// A literal copy of the tables of the contract (spec/product-api.md, parts 2, 4, 7 and 9), written
// from the contract alone: nothing here may be taken from src/.

/** Types as the contract writes them. */
export type FieldType =
  | 'integer'
  | 'string'
  | 'boolean'
  | 'string (email)'
  | 'string (date-time)'
  | 'string (uri)'
  | 'array of ShareFile'
  | 'User'

export type Fields = Readonly<Record<string, FieldType>>

/** Part 2, the resources of the operations below. */
// oxfmt-ignore
export const resources = {
  User: {
    id: 'integer', email: 'string (email)', name: 'string', is_admin: 'boolean',
    created_at: 'string (date-time)',
  },
  Share: {
    id: 'string', name: 'string', created_at: 'string (date-time)',
    expires_at: 'string (date-time)', protected: 'boolean', url: 'string (uri)',
    max_downloads: 'integer', download_count: 'integer', files: 'array of ShareFile',
    total_size: 'integer',
  },
  ShareFile: {
    id: 'integer', original_name: 'string', size: 'integer', mime_type: 'string',
    created_at: 'string (date-time)',
  },
  PublicShare: {
    name: 'string', message: 'string', protected: 'boolean', files: 'array of ShareFile',
  },
  ReverseShare: {
    id: 'string', name: 'string', max_size: 'integer', expires_at: 'string (date-time)',
    notify_email: 'boolean', url: 'string (uri)', file_count: 'integer',
  },
  PublicReverseShare: {
    name: 'string', maxSize: 'integer', protected: 'boolean', thankYouMessage: 'string',
  },
  Success: { success: 'boolean' },
} as const satisfies Record<string, Fields>

export interface RequestField {
  readonly type:
    | 'string'
    | 'string (email)'
    | 'integer'
    | 'boolean'
    | 'array'
    | 'binary'
    | readonly string[]
  readonly required: boolean
}

export interface ContractOperation {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly auth: 'none' | 'Bearer' | 'administrator'
  readonly request: Readonly<Record<string, RequestField>>
  readonly statuses: readonly number[]
}

const text = { type: 'string', required: false } as const
const requiredText = { type: 'string', required: true } as const
const requiredEmail = { type: 'string (email)', required: true } as const
const optionalEmail = { type: 'string (email)', required: false } as const
const flag = { type: 'boolean', required: false } as const
const integer = { type: 'integer', required: false } as const
const unit = { type: ['Hours', 'Days', 'Weeks', 'Months'], required: false } as const
const lifetime = { expirationVal: integer, expirationUnit: unit }

function operation(
  id: string,
  method: ContractOperation['method'],
  path: string,
  auth: ContractOperation['auth'],
  statuses: readonly number[],
  request: ContractOperation['request'] = {},
): ContractOperation {
  return { id, method, path, auth, request, statuses }
}

const credentials = { email: requiredEmail, password: requiredText }

/** Part 4, the operations that exist; operationIds from part 9. */
export const operations: readonly ContractOperation[] = [
  operation('login', 'POST', '/api/auth/login', 'none', [200, 401, 429], credentials),
  operation('verify2fa', 'POST', '/api/auth/verify-2fa', 'none', [200, 401], {
    ...credentials,
    code: requiredText,
  }),
  operation('logout', 'POST', '/api/auth/logout', 'Bearer', [200]),
  operation('initShare', 'POST', '/api/shares/init', 'Bearer', [200, 401], {
    name: text,
    password: text,
    ...lifetime,
    recipients: text,
    message: text,
    maxDownloads: integer,
  }),
  operation('uploadShareChunk', 'POST', '/api/shares/{shareId}/chunk', 'Bearer', [200, 401, 413], {
    chunk: { type: 'binary', required: true },
    chunkIndex: { type: 'integer', required: true },
    fileName: requiredText,
    fileId: requiredText,
  }),
  operation('finalizeShare', 'POST', '/api/shares/{shareId}/finalize', 'Bearer', [200, 401], {
    files: { type: 'array', required: true },
  }),
  operation('listShares', 'GET', '/api/shares', 'Bearer', [200, 401]),
  operation('deleteShare', 'DELETE', '/api/shares/{shareId}', 'Bearer', [200, 401, 404]),
  operation('getPublicShare', 'GET', '/api/public/shares/{shareId}', 'none', [200, 404, 410]),
  operation('verifySharePassword', 'POST', '/api/shares/{shareId}/verify', 'none', [200, 401], {
    password: requiredText,
  }),
  operation('downloadShareZip', 'GET', '/api/shares/{shareId}/download', 'none', [200, 404, 410]),
  operation('listReverseShares', 'GET', '/api/reverse', 'Bearer', [200, 401]),
  operation('createReverseShare', 'POST', '/api/reverse', 'Bearer', [200, 401], {
    name: text,
    maxSize: integer,
    ...lifetime,
    password: text,
    notify: flag,
    sendEmailTo: optionalEmail,
    thankYouMessage: text,
  }),
  operation('listReverseShareFiles', 'GET', '/api/reverse/{reverseId}/files', 'Bearer', [200, 401]),
  operation('deleteReverseShare', 'DELETE', '/api/reverse/{reverseId}', 'Bearer', [200, 401, 404]),
  operation(
    'getPublicReverseShare',
    'GET',
    '/api/public/reverse/{reverseId}',
    'none',
    [200, 404, 410],
  ),
  operation('listUsers', 'GET', '/api/users', 'administrator', [200, 401, 403]),
  operation('createUser', 'POST', '/api/users', 'administrator', [200, 403, 409], {
    ...credentials,
    name: requiredText,
    is_admin: flag,
  }),
  operation('updateUser', 'PUT', '/api/users/{userId}', 'administrator', [200, 403, 404], {
    email: optionalEmail,
    name: text,
    is_admin: flag,
  }),
  operation('deleteUser', 'DELETE', '/api/users/{userId}', 'administrator', [200, 403, 404]),
  operation('getConfig', 'GET', '/api/config', 'Bearer', [200, 401]),
  operation('updateConfig', 'PUT', '/api/config', 'administrator', [200, 403]),
]

/** Part 4, the entries of finalize's `files`. */
export const listedFile: Readonly<Record<string, RequestField>> = {
  fileName: requiredText,
  originalName: requiredText,
  fileId: requiredText,
  size: { type: 'integer', required: true },
  mimeType: text,
}

/** Part 7: the statuses in use on the product API. */
export const errorStatuses = [400, 401, 403, 404, 409, 410, 413, 429, 500] as const
