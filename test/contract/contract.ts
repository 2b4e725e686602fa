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
export const resources = {
  User: {
    id: 'integer',
    email: 'string (email)',
    name: 'string',
    is_admin: 'boolean',
    created_at: 'string (date-time)',
  },
  Share: {
    id: 'string',
    name: 'string',
    created_at: 'string (date-time)',
    expires_at: 'string (date-time)',
    protected: 'boolean',
    url: 'string (uri)',
    max_downloads: 'integer',
    download_count: 'integer',
    files: 'array of ShareFile',
    total_size: 'integer',
  },
  ShareFile: {
    id: 'integer',
    original_name: 'string',
    size: 'integer',
    mime_type: 'string',
    created_at: 'string (date-time)',
  },
  PublicShare: {
    name: 'string',
    message: 'string',
    protected: 'boolean',
    files: 'array of ShareFile',
  },
  ReverseShare: {
    id: 'string',
    name: 'string',
    max_size: 'integer',
    expires_at: 'string (date-time)',
    notify_email: 'boolean',
    url: 'string (uri)',
    file_count: 'integer',
  },
  PublicReverseShare: {
    name: 'string',
    maxSize: 'integer',
    protected: 'boolean',
    thankYouMessage: 'string',
  },
  Success: { success: 'boolean' },
} as const satisfies Record<string, Fields>

export interface RequestField {
  readonly type:
    'string' | 'string (email)' | 'integer' | 'boolean' | 'array' | 'binary' | readonly string[]
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

/** Part 4, the operations that exist; operationIds from part 9. */
export const operations: readonly ContractOperation[] = [
  {
    id: 'login',
    method: 'POST',
    path: '/api/auth/login',
    auth: 'none',
    request: { email: requiredEmail, password: requiredText },
    statuses: [200, 401, 429],
  },
  {
    id: 'verify2fa',
    method: 'POST',
    path: '/api/auth/verify-2fa',
    auth: 'none',
    request: { email: requiredEmail, password: requiredText, code: requiredText },
    statuses: [200, 401],
  },
  {
    id: 'logout',
    method: 'POST',
    path: '/api/auth/logout',
    auth: 'Bearer',
    request: {},
    statuses: [200],
  },
  {
    id: 'initShare',
    method: 'POST',
    path: '/api/shares/init',
    auth: 'Bearer',
    request: {
      name: text,
      password: text,
      expirationVal: integer,
      expirationUnit: { type: ['Hours', 'Days', 'Weeks', 'Months'], required: false },
      recipients: text,
      message: text,
      maxDownloads: integer,
    },
    statuses: [200, 401],
  },
  {
    id: 'uploadShareChunk',
    method: 'POST',
    path: '/api/shares/{shareId}/chunk',
    auth: 'Bearer',
    request: {
      chunk: { type: 'binary', required: true },
      chunkIndex: { type: 'integer', required: true },
      fileName: requiredText,
      fileId: requiredText,
    },
    statuses: [200, 401, 413],
  },
  {
    id: 'finalizeShare',
    method: 'POST',
    path: '/api/shares/{shareId}/finalize',
    auth: 'Bearer',
    request: { files: { type: 'array', required: true } },
    statuses: [200, 401],
  },
  {
    id: 'listShares',
    method: 'GET',
    path: '/api/shares',
    auth: 'Bearer',
    request: {},
    statuses: [200, 401],
  },
  {
    id: 'deleteShare',
    method: 'DELETE',
    path: '/api/shares/{shareId}',
    auth: 'Bearer',
    request: {},
    statuses: [200, 401, 404],
  },
  {
    id: 'getPublicShare',
    method: 'GET',
    path: '/api/public/shares/{shareId}',
    auth: 'none',
    request: {},
    statuses: [200, 404, 410],
  },
  {
    id: 'verifySharePassword',
    method: 'POST',
    path: '/api/shares/{shareId}/verify',
    auth: 'none',
    request: { password: requiredText },
    statuses: [200, 401],
  },
  {
    id: 'downloadShareZip',
    method: 'GET',
    path: '/api/shares/{shareId}/download',
    auth: 'none',
    request: {},
    statuses: [200, 404, 410],
  },
  {
    id: 'listReverseShares',
    method: 'GET',
    path: '/api/reverse',
    auth: 'Bearer',
    request: {},
    statuses: [200, 401],
  },
  {
    id: 'createReverseShare',
    method: 'POST',
    path: '/api/reverse',
    auth: 'Bearer',
    request: {
      name: text,
      maxSize: integer,
      expirationVal: integer,
      expirationUnit: { type: ['Hours', 'Days', 'Weeks', 'Months'], required: false },
      password: text,
      notify: flag,
      sendEmailTo: optionalEmail,
      thankYouMessage: text,
    },
    statuses: [200, 401],
  },
  {
    id: 'listReverseShareFiles',
    method: 'GET',
    path: '/api/reverse/{reverseId}/files',
    auth: 'Bearer',
    request: {},
    statuses: [200, 401],
  },
  {
    id: 'deleteReverseShare',
    method: 'DELETE',
    path: '/api/reverse/{reverseId}',
    auth: 'Bearer',
    request: {},
    statuses: [200, 401, 404],
  },
  {
    id: 'getPublicReverseShare',
    method: 'GET',
    path: '/api/public/reverse/{reverseId}',
    auth: 'none',
    request: {},
    statuses: [200, 404, 410],
  },
  {
    id: 'listUsers',
    method: 'GET',
    path: '/api/users',
    auth: 'administrator',
    request: {},
    statuses: [200, 401, 403],
  },
  {
    id: 'createUser',
    method: 'POST',
    path: '/api/users',
    auth: 'administrator',
    request: { email: requiredEmail, password: requiredText, name: requiredText, is_admin: flag },
    statuses: [200, 403, 409],
  },
  {
    id: 'updateUser',
    method: 'PUT',
    path: '/api/users/{userId}',
    auth: 'administrator',
    request: { email: optionalEmail, name: text, is_admin: flag },
    statuses: [200, 403, 404],
  },
  {
    id: 'deleteUser',
    method: 'DELETE',
    path: '/api/users/{userId}',
    auth: 'administrator',
    request: {},
    statuses: [200, 403, 404],
  },
  {
    id: 'getConfig',
    method: 'GET',
    path: '/api/config',
    auth: 'Bearer',
    request: {},
    statuses: [200, 401],
  },
  {
    id: 'updateConfig',
    method: 'PUT',
    path: '/api/config',
    auth: 'administrator',
    request: {},
    statuses: [200, 403],
  },
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
