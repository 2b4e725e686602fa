import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { placeholders } from '../library.ts'
import { renderMarkdown, type Rendered } from './markdown.ts'
import type { Picture } from './pictures.ts'

/** One page of docs/. */
export interface Page extends Rendered {
  /** File name without `.md`. */
  readonly id: string
  readonly title: string
  readonly description: string
  /** Position among the pages, and so its group (navigation.ts); 50 by default. */
  readonly order: number
  /** Other words that people search for. */
  readonly keywords: string
  /** Path for people. */
  readonly path: string
  /** Path for programs. */
  readonly markdownPath: string
  /** The source without its front matter; links to pages are absolute. */
  readonly markdown: string
}

const fields = ['title', 'description', 'order', 'keywords'] as const

/**
 * The pages of a folder, ordered by `order` and then by title. Files without front matter are for
 * contributors, and not on the site.
 * @throws Error that names the page and the missing field
 */
export function readPages(folder: string, pictures: ReadonlyMap<string, Picture>): Page[] {
  const sources = readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => readSource(name.replace(/\.md$/, ''), path.join(folder, name)))
    .filter((source) => source !== null)
  const ids = new Set(sources.map(({ id }) => id))
  return sources
    .toSorted((left, right) => left.order - right.order || (left.title < right.title ? -1 : 1))
    .map((source) => ({
      ...source,
      ...renderMarkdown(source.id, source.markdown, { ids, pictures }),
      markdown: makeLinksWhole(source.markdown, ids),
    }))
}

/** A page is read at several addresses, even outside of the site: its links must work anywhere. */
function makeLinksWhole(markdown: string, ids: ReadonlySet<string>): string {
  const { docsUrl } = placeholders
  return markdown
    .replaceAll(/\]\((\/[^)\s]*)\)/g, `](${docsUrl}$1)`)
    .replaceAll(/\]\(pictures(\/[^)\s]*)\)/g, `](${docsUrl}/assets$1)`)
    .replaceAll(/\]\(([a-z0-9-]+)\.md(#[^)\s]*)?\)/g, (link, id: string, part = '') =>
      ids.has(id) ? `](${docsUrl}${markdownPathOf(id)}${part})` : link,
    )
}

function readSource(id: string, file: string) {
  const text = readFileSync(file, 'utf8')
  const [, head, markdown] = /^---\n(.*?)\n---\n+(.*)$/s.exec(text) ?? []
  if (head === undefined || markdown === undefined) return null
  const given = Object.fromEntries(
    head
      .trim()
      .split('\n')
      .map((line) => line.split(/:\s*(.*)/s) as [string, string]),
  )
  for (const name of Object.keys(given)) {
    if (!fields.some((field) => field === name)) throw new Error(`${file}: unknown field ${name}`)
  }
  const { title, description, order = '50', keywords = '' } = given
  if (!title || !description) throw new Error(`${file}: front matter needs title, description`)
  if (!/^[a-z0-9][a-z0-9-]*$/.test(id)) throw new Error(`${file}: invalid name of a page`)
  if (!markdown.startsWith(`# ${title}\n`)) throw new Error(`${file}: must begin with "# ${title}"`)
  const path = id === 'index' ? '/' : `/docs/${id}`
  const markdownPath = markdownPathOf(id)
  return { id, title, description, order: Number(order), keywords, markdown, path, markdownPath }
}

/** Beside the page, so that one address can be derived from the other. */
function markdownPathOf(id: string): string {
  return id === 'index' ? '/index.md' : `/docs/${id}.md`
}
