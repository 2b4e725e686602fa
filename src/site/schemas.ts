import * as v from 'valibot'
import { named, noted } from '../http/schema.ts'

const address = v.pipe(v.string(), v.url())
const id = noted(v.string(), 'File name of the page without `.md`', 'architecture')
const title = noted(v.string(), 'Title of the page', 'Architecture')
const description = noted(v.string(), 'Summary of the page in a sentence')
const path = noted(v.string(), 'Path of the page on this site', '/docs/architecture')

/** The contract's `DocsCatalog` (part 2). */
export const docsCatalogSchema = named(
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
export const docsPageSchema = named(
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
