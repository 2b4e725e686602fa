import * as v from 'valibot'
import type { AssetAnswer } from '../http/answer.ts'
import type { RequestContext } from '../http/request-context.ts'
import { assetAnswers, operation, type AnswerSpec, type Operation } from '../http/operation.ts'
import { requireFound } from '../lib/errors.ts'
import type { Library } from './library.ts'
import { parsePreferences, qualityOf } from '../http/negotiation.ts'
import { named, noted } from '../http/schema.ts'

const address = v.pipe(v.string(), v.url())
const id = noted(v.string(), 'File name of the page without `.md`', 'architecture')
const title = noted(v.string(), 'Title of the page', 'Architecture')
const description = noted(v.string(), 'Summary of the page in a sentence')
const path = noted(v.string(), 'Path of the page on this site', '/docs/architecture')

/** The contract's `DocsCatalog` (part 2). */
const docsCatalogSchema = named(
  'DocsCatalog',
  v.object({
    product: noted(v.string(), 'Short name of the product', 'transfer-service'),
    name: noted(v.string(), 'Name of this site'),
    description: noted(v.string(), 'Description of the product'),
    site: noted(address, 'URL of this site'),
    openapi: noted(address, 'The API description'),
    llms: noted(address, 'Instructions for agents, as text'),
    developers: noted(address, 'Get the API reference, for people'),
    docs: v.array(v.object({ id, title, description, path })),
  }),
)

/** The contract's `DocsPage` (part 2). */
const docsPageSchema = named(
  'DocsPage',
  v.object({
    id,
    title,
    description,
    path,
    url: noted(address, 'URL of the page for people'),
    markdown_url: noted(address, 'URL of the raw page'),
    accept_hint: noted(v.string(), 'How to get the raw page from this address'),
    markdown: noted(v.nullable(v.string()), 'The raw page, in Markdown'),
  }),
)

/** Common to all. */
const common = { method: 'GET', tag: 'Documentation', auth: 'none' } as const
/** Shown for unknown addresses. */
export const notFoundPath = '/404'
const json = 'application/json'
const html = 'text/html'

/** Describes the site's answers, which are cached by their tag. */
function cached(answer: AnswerSpec): Record<200 | 304, AnswerSpec> {
  return assetAnswers(answer, ['ETag', 'Vary'])
}

const document = (contentType: string): AnswerSpec => ({ description: 'The document', contentType })

const catalog: AnswerSpec = { description: 'The catalog', schema: docsCatalogSchema }
const openApi: AnswerSpec = {
  description: 'OpenAPI 3.1',
  schema: v.record(v.string(), v.unknown()),
}
const search: AnswerSpec = {
  description: 'All sections: path, title of the page, title, text, keywords of the page',
  schema: v.array(v.array(v.string())),
}
const text = document('text/plain')
const page = document(html)

/** Files without parameters: operation id, path, summary and answer. */
const files: readonly (readonly [id: string, path: string, summary: string, AnswerSpec])[] = [
  [
    'listDocumentationPages',
    '/api/v1/docs',
    'Get the catalog: all pages and the location of the API description',
    catalog,
  ],
  [
    'getOpenApiDocument',
    '/openapi.json',
    'Get this description of the product and of this site',
    openApi,
  ],
  [
    'getSitemap',
    '/sitemap.xml',
    'Get the addresses of all pages, for search engines',
    document('application/xml'),
  ],
  ['getLlmsText', '/llms.txt', 'Get an overview of the product and its pages, for agents', text],
  ['getLlmsFullText', '/llms-full.txt', 'Get all pages as one text, for agents', text],
  ['getRobots', '/robots.txt', 'Get the rules for crawlers: everything is allowed', text],
  ['homeMarkdown', '/index.md', 'Get the first page, raw', document('text/markdown')],
  ['apiReference', '/reference', 'Get the API reference, for people', page],
  [
    'designPage',
    '/design',
    'Get the controls of the web UI in all of their states, for people',
    page,
  ],
  ['getSearchIndex', '/search.json', 'Get the search index of the pages', search],
]

const fileOperations = files.map(
  ([id, path, summary, answer]) =>
    (library: Library) =>
      operation({
        ...common,
        id,
        path,
        summary,
        answers: cached(answer),
        handle: ({ context }) => find(library, context, path),
      }),
)

/**
 * The product's own copy, because its clients may not reach the documentation site.
 * @param library holds the description with the addresses of this deployment
 */
export const getApiDescription = (library: Library) =>
  operation({
    ...common,
    id: 'getApiDescription',
    path: '/openapi.json',
    summary: 'Get the API description, the same as on the documentation site',
    answers: cached(openApi),
    handle: ({ context }) => find(library, context, '/openapi.json'),
  })

const getDocumentationPage = (library: Library) =>
  operation({
    ...common,
    id: 'getDocumentationPage',
    path: '/api/v1/docs/{slug}',
    summary: 'Get a page; raw with `Accept: text/markdown`',
    answers: cached({
      description: 'The page',
      schema: docsPageSchema,
      alternative: 'text/markdown',
    }),
    handle: ({ context, params }) =>
      findEither(library, context, params['slug']!, `/api/v1/docs/${params['slug']}`, json),
  })

/** Shares its name with the product's: one path of the description, on both servers. */
const homePage = (library: Library) =>
  operation({
    ...common,
    id: 'homePage',
    path: '/',
    summary: 'Get the first page',
    answers: cached({ ...page, alternative: 'text/markdown' }),
    handle: ({ context }) => findEither(library, context, 'index', '/', html),
  })

const documentationPage = (library: Library) =>
  operation({
    ...common,
    id: 'documentationPage',
    path: '/docs/{page}',
    summary: 'Get a page for people; raw with `.md` or `Accept: text/markdown`',
    answers: cached({ description: 'The page', contentType: html, alternative: 'text/markdown' }),
    async handle({ context, params }) {
      const page = params['page']!
      if (page.endsWith('.md')) return find(library, context, `/docs/${page}`)
      return findEither(library, context, page, `/docs/${page}`, html)
    },
  })

const documentationAsset = (library: Library) =>
  operation({
    ...common,
    id: 'documentationAsset',
    path: '/assets/{asset}',
    summary: 'Get a static file',
    answers: cached({ description: 'The file', contentType: '*/*' }),
    handle: ({ context, params }) => find(library, context, `/assets/${params['asset']}`),
  })

/** For browsers that ask for an address with nothing behind it. */
export async function notFoundAnswer(
  library: Library,
  context: RequestContext,
): Promise<AssetAnswer> {
  const page = await find(library, context, notFoundPath)
  return { ...page, status: 404, headers: { ...page.headers, 'Cache-Control': 'no-store' } }
}

/** @throws CodedError not_found */
async function find(library: Library, context: RequestContext, path: string): Promise<AssetAnswer> {
  return requireFound(await library.find(path, context.header('accept-encoding')))
}

/** A page in the form that `Accept` asks for: Markdown, or the usual type of the path. */
async function findEither(
  library: Library,
  context: RequestContext,
  id: string,
  usualPath: string,
  usualType: string,
): Promise<AssetAnswer> {
  const wantsMarkdown = prefersMarkdown(context.header('accept'), usualType)
  const found = await find(library, context, wantsMarkdown ? `/docs/${id}.md` : usualPath)
  return { ...found, headers: { ...found.headers, Vary: 'Accept, Accept-Encoding' } }
}

const declarations = [
  ...fileOperations,
  getDocumentationPage,
  homePage,
  documentationPage,
  documentationAsset,
]

export function docsOperationsOf(library: Library): readonly Operation[] {
  return declarations.map((declare) => declare(library))
}

/** Only the declarations, for the API description and the tests. */
export const docsOperations = docsOperationsOf({} as Library)

/**
 * Whether `Accept` asks for Markdown instead of the usual type (RFC 9110, section 12.5.1). Only an
 * explicit `text/markdown` does: ranges and unknown types get the usual one.
 */
function prefersMarkdown(header: string | undefined, usualType: string): boolean {
  const preferences = parsePreferences(header)
  const markdown = qualityOf(preferences, 'text/markdown')
  return markdown > 0 && markdown >= qualityOf(preferences, usualType)
}
