import { escapeHtml } from '../../http/html.ts'
import { placeholders } from '../library.ts'
import { siteName } from './frame.ts'
import type { Page } from './pages.ts'

const { docsUrl, baseUrl } = placeholders
const about =
  'A self-hosted service for sending files: drop files in, get a link out, and anyone with ' +
  'the link can download them.'

/** The contract's `DocsCatalog`. */
export function makeCatalog(pages: readonly Page[]): object {
  return {
    product: 'transfer-service',
    name: `${siteName} documentation`,
    description: about,
    site: `${docsUrl}/`,
    openapi: `${docsUrl}/openapi.json`,
    llms: `${docsUrl}/llms.txt`,
    developers: `${docsUrl}/reference`,
    docs: pages.map(({ id, title, description, path }) => ({ id, title, description, path })),
  }
}

/** The contract's `DocsPage`, without its Markdown. */
export function makePage({ id, title, description, path }: Page): object {
  return {
    id,
    title,
    description,
    path,
    url: `${docsUrl}${path}`,
    markdown_url: `${docsUrl}/docs/${id}.md`,
    accept_hint: 'Send "Accept: text/markdown" to this address to get the raw page.',
  }
}

/** Starting point for AI agents (llmstxt.org). */
export function makeLlmsText(pages: readonly Page[]): string {
  const links = pages.map(({ title, description, markdownPath }) => {
    return `- [${title}](${docsUrl}${markdownPath}): ${description}`
  })
  return `# ${siteName}

> ${about}

The product's API is at ${baseUrl}; every path begins with /api. Sign in with POST /api/auth/login,
or use an API token, and send the token as \`Authorization: Bearer <token>\`. To send files:
POST /api/shares/init, then each file in chunks of about 50 MB to POST /api/shares/{shareId}/chunk,
then POST /api/shares/{shareId}/finalize, which returns the link. Errors are JSON with \`error\` for
people and \`code\` for programs. After 429 and 503, wait for the seconds in \`Retry-After\`.

## API

- [OpenAPI 3.1 description](${docsUrl}/openapi.json): every operation, field, bound and error
- [API reference](${docsUrl}/reference): the same for people, with curl examples
- [Catalog](${docsUrl}/api/v1/docs): these pages as JSON

## Pages

${links.join('\n')}

## Optional

- [All pages in one text](${docsUrl}/llms-full.txt)
`
}

export function makeLlmsFullText(pages: readonly Page[]): string {
  const texts = pages.map(
    ({ path, markdown }) => `<!-- ${docsUrl}${path} -->\n\n${markdown.trim()}\n`,
  )
  return `${texts.join('\n---\n\n')}`
}

export function makeSitemap(paths: readonly string[]): string {
  const lines = paths.map((path) => `<url><loc>${escapeHtml(`${docsUrl}${path}`)}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${lines.join('\n')}
</urlset>
`
}

export function makeRobots(): string {
  return `User-agent: *\nAllow: /\n\nSitemap: ${docsUrl}/sitemap.xml\n`
}
