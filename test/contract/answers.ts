// A literal copy of the contract's Response columns (spec/product-api.md, part 4) and of its part
// about the documentation site, written from the contract alone.
import type { Fields } from './contract.ts'

/** A resource of part 2, a list of one, or fields written out. */
export type AnswerBody = string | { readonly listOf: string } | Fields

/** The body of a 200; several where the contract says "either". Open objects are `open`. */
export const answers: Readonly<Record<string, readonly AnswerBody[]>> = {
  login: [
    { success: 'boolean', token: 'string', user: 'User' },
    { requires2FA: 'boolean', email: 'string' },
  ],
  verify2fa: [{ token: 'string', user: 'User' }],
  logout: ['Success'],
  initShare: [{ success: 'boolean', shareId: 'string' }],
  uploadShareChunk: ['Success'],
  finalizeShare: [{ success: 'boolean', shareUrl: 'string (uri)' }],
  listShares: [{ listOf: 'Share' }],
  deleteShare: ['Success'],
  getPublicShare: ['PublicShare'],
  verifySharePassword: [{ valid: 'boolean', files: 'array of ShareFile' }],
  downloadShareZip: ['application/zip'],
  getPublicReverseShare: ['PublicReverseShare'],
  listReverseShares: [{ listOf: 'ReverseShare' }],
  createReverseShare: [{ success: 'boolean', url: 'string (uri)' }],
  listReverseShareFiles: [{ listOf: 'ShareFile' }],
  deleteReverseShare: ['Success'],
  listUsers: [{ listOf: 'User' }],
  createUser: ['Success'],
  updateUser: ['Success'],
  deleteUser: ['Success'],
  getConfig: ['open'],
  updateConfig: ['Success'],
  listDocumentationPages: ['DocsCatalog'],
  getDocumentationPage: ['DocsPage'],
  getOpenApiDocument: ['open'],
}

/** Part 4, the documentation site. */
export const siteOperations = [
  { id: 'listDocumentationPages', path: '/api/v1/docs', statuses: [200, 405] },
  { id: 'getDocumentationPage', path: '/api/v1/docs/{slug}', statuses: [200, 404, 405] },
  { id: 'getOpenApiDocument', path: '/openapi.json', statuses: [200] },
] as const

/** Part 2, the resources of the documentation site. */
// oxfmt-ignore
export const siteResources = {
  DocsCatalog: {
    product: 'string', name: 'string', description: 'string', site: 'string (uri)',
    openapi: 'string (uri)', llms: 'string (uri)', developers: 'string (uri)',
  },
  DocsPage: {
    id: 'string', title: 'string', description: 'string', path: 'string', url: 'string (uri)',
    markdown_url: 'string (uri)', accept_hint: 'string', markdown: 'string',
  },
  Problem: {
    type: 'string (uri)', title: 'string', status: 'integer', detail: 'string', code: 'string',
  },
} as const satisfies Record<string, Fields>

/** Part 2: the objects of a catalog's `docs`. */
// oxfmt-ignore
export const catalogEntry = {
  id: 'string', title: 'string', description: 'string', path: 'string',
} as const satisfies Fields
