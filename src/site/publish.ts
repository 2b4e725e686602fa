// Run by build/build.mjs: makes the files of the documentation site and the API description from
// docs/ and the declared operations, so that the service only has to send them. Arguments: the
// package's folder and the output folder.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { buildSync } from 'esbuild'
import type { Document } from './description/document.ts'
import { describeApi } from './description/openapi.ts'
import { tagOf, placeholders, type ManifestFile } from './library.ts'
import { docsOperations, notFoundPath } from './operations.ts'
import { operations } from '../routes.ts'
import { renderDesign } from './publishing/design/design.ts'
import { productStyle } from './publishing/design/product-style.ts'
import { renderFrame } from './publishing/frame.ts'
import type { Section } from './publishing/markdown.ts'
import { groupEntries } from './publishing/navigation.ts'
import { readPages, type Page } from './publishing/pages.ts'
import { readPictures } from './publishing/pictures.ts'
import { renderReference } from './publishing/reference.ts'
import * as texts from './publishing/texts.ts'
import { drawings } from '../web/lib/file-icons.ts'
import * as icons from '../web/ui/icons.ts'

const reference = {
  path: '/reference',
  title: 'API reference',
  description: 'Every operation of the API with its fields, errors and an example.',
  /** Its place in the navigation, as in the front matter of pages. */
  order: 69,
  keywords: 'openapi swagger endpoints rest schema',
}
const design = {
  path: '/design',
  title: 'Design',
  description: 'Every control of the web UI in each of its states, in light and dark.',
  order: 93,
  keywords: 'style guide components css tokens theme accessibility hover focus colours',
}
const notFound = {
  path: notFoundPath,
  title: 'Not found',
  description: 'This page does not exist.',
  sections: [],
  html: `<h1>Page not found</h1>
<p>There is no page at this address. Search for it, or continue with one of these:</p>
<ul>
<li><a href="/">Home</a></li>
<li><a href="/docs/start">Start in two minutes</a></li>
<li><a href="/reference">API reference</a></li>
<li class="for-small"><a href="#pages">All pages</a></li>
</ul>`,
}
const types = {
  json: 'application/json; charset=utf-8',
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  text: 'text/plain; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
} as const
const assetTypes: Readonly<Record<string, string>> = {
  '.css': types.css,
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/**
 * Replaces the folder, unless a page is wrong.
 * @param root the package's folder, with docs/ and static/docs/ in it
 */
function publish(root: string, folder: string): void {
  const description = makeDescription()
  const pictures = readPictures(path.join(root, 'docs', 'pictures'))
  const pages = readPages(path.join(root, 'docs'), pictures)
  const assets = [
    ...makeAssets(path.join(root, 'static', 'docs')),
    ...pictures.values(),
    made('/assets/product.css', types.css, productStyle(root)),
  ]
  const all = [
    ...makeMachineTexts(description, pages),
    ...makePages(pages, description, assets),
    ...assets,
  ]
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const files = [...all.map((one) => write(folder, one)), ...pages.map(listAsJson)]
  writeFileSync(path.join(folder, 'manifest.json'), `${JSON.stringify(files)}\n`)
}

interface Made {
  /** Path on the site. */
  readonly path: string
  readonly contentType: string
  readonly content: string | Buffer
}

function made(sitePath: string, contentType: string, content: string): Made {
  return { path: sitePath, contentType, content }
}

function makeDescription(): Document {
  return describeApi([
    {
      operations,
      server: placeholders.baseUrl,
      serverDescription: 'The product',
      errors: 'product',
    },
    {
      operations: docsOperations,
      server: placeholders.docsUrl,
      serverDescription: 'The documentation site',
      errors: 'problem',
    },
  ])
}

function makeMachineTexts(description: Document, pages: readonly Page[]): Made[] {
  const json = (sitePath: string, value: unknown) =>
    made(sitePath, types.json, JSON.stringify(value))
  const text = (sitePath: string, content: string) => made(sitePath, types.text, content)
  const paths = [...pages.map((page) => page.path), reference.path, design.path]
  return [
    json('/openapi.json', description),
    json('/api/v1/docs', texts.makeCatalog(pages)),
    made('/sitemap.xml', types.xml, texts.makeSitemap(paths)),
    text('/llms.txt', texts.makeLlmsText(pages)),
    text('/llms-full.txt', texts.makeLlmsFullText(pages)),
    text('/robots.txt', texts.makeRobots()),
  ]
}

function makePages(pages: readonly Page[], description: Document, assets: readonly Made[]): Made[] {
  const addressOf = (name: string) => {
    const found = assets.find((asset) => asset.path === `/assets/${name}`)
    if (!found) throw new Error(`there is no static/docs/${name}`)
    return `${found.path}?v=${tagOf(found.content).slice(0, 8)}`
  }
  const sheets = [addressOf('product.css'), addressOf('design.css')]
  const all = [
    ...pages,
    { ...reference, ...renderReference(description) },
    { ...design, ...renderDesign({ ui: icons, files: drawings }, sheets) },
  ].toSorted((left, right) => left.order - right.order)
  const around = { groups: groupEntries(all), addressOf }
  const html = (sitePath: string, content: string) => made(sitePath, types.html, content)
  const index = all.flatMap((page) => {
    if (page.path === '/') return []
    return page.sections.filter(isIndexed).map((section) => indexEntry(page, section))
  })
  return [
    ...all.map((page) => html(page.path, renderFrame(page, around))),
    // The first page has two addresses.
    ...all
      .filter((page) => page.path === '/')
      .map((page) => html('/docs/index', renderFrame(page, around))),
    html(notFoundPath, renderFrame(notFound, around)),
    ...pages.flatMap(({ id, markdown, markdownPath }) =>
      [...new Set([`/docs/${id}.md`, markdownPath])].map((sitePath) =>
        made(sitePath, types.markdown, markdown),
      ),
    ),
    made('/search.json', types.json, JSON.stringify(index)),
  ]
}

/** Lists of links to other pages and of source files answer nothing by themselves. */
function isIndexed({ title }: Section): boolean {
  return title !== 'Next steps' && title !== 'Where is it?'
}

interface Indexed {
  readonly path: string
  readonly title: string
  readonly description: string
  readonly keywords: string
}

/** A section in the search index. The start of a page has no title, but the page's keywords. */
function indexEntry(page: Indexed, { anchor, title, text }: Section): string[] {
  if (anchor) return [`${page.path}#${anchor}`, page.title, title, text, '']
  return [page.path, page.title, '', text || page.description, page.keywords]
}

function makeAssets(folder: string): Made[] {
  return readdirSync(folder).map((name) => {
    const source = path.join(folder, name)
    const extension = path.extname(name)
    const contentType = assetTypes[extension]
    if (!contentType) throw new Error(`static/docs/${name}: no content type is known for it`)
    // Styles contain the product's that they import.
    const options = { bundle: extension === '.css', minify: true, write: false } as const
    const content =
      extension === '.svg'
        ? readFileSync(source, 'utf8')
        : buildSync({ ...options, entryPoints: [source] }).outputFiles[0]!.text
    return made(`/assets/${name}`, contentType, content)
  })
}

/** Texts with addresses are completed at start; others are compressed here, once. */
function write(folder: string, { path: sitePath, contentType, content }: Made): ManifestFile {
  const isTemplate =
    contentType === types.markdown ||
    Object.values(placeholders).some((address) => content.includes(address))
  const plainName = sitePath.slice(1).replaceAll('/', '_') || 'home'
  const name = isTemplate ? plainName : `${plainName}.gz`
  const bytes = isTemplate ? content : gzipSync(content, { level: 9 })
  writeFileSync(path.join(folder, name), bytes)
  return { path: sitePath, name, contentType, isTemplate, tag: tagOf(content) }
}

/** Made from the raw page at start: the package need not have it twice. */
function listAsJson(page: Page): ManifestFile {
  return {
    path: `/api/v1/docs/${page.id}`,
    name: `docs_${page.id}.md`,
    contentType: types.json,
    isTemplate: true,
    tag: '',
    around: texts.makePage(page),
  }
}

const [root = '', folder = ''] = process.argv.slice(2)
publish(root, folder)
