import { Marked, type Tokens } from 'marked'
import { escapeHtml } from '../../http/html.ts'
import type { Picture } from './pictures.ts'

/** A section of a page, which links can point to. */
export interface Section {
  /** Anchor of its heading; empty for the part below the title. */
  readonly anchor: string
  readonly title: string
  readonly depth: number
  /** Its words, without markup. */
  readonly text: string
}

export interface Rendered {
  readonly html: string
  readonly sections: readonly Section[]
}

/** Valid targets of links. */
export interface Site {
  /** Ids of its pages. */
  readonly ids: ReadonlySet<string>
  readonly pictures: ReadonlyMap<string, Picture>
}

/**
 * HTML of a page, and its sections for the navigation and the search.
 * @throws Error naming a link to a missing page or picture
 */
export function renderMarkdown(id: string, markdown: string, { ids, pictures }: Site): Rendered {
  const anchors = new Set<string>()
  const sections: Section[] = []
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const title = plain(text)
        const inner = this.parser.parseInline(tokens)
        if (depth === 1) {
          sections.push({ anchor: '', title, depth, text: '' })
          return `<h1>${inner}</h1>\n`
        }
        const anchor = freeAnchor(title, anchors)
        sections.push({ anchor, title, depth, text: '' })
        const link = `<a class="anchor" href="#${anchor}" aria-label="Link to this section">#</a>`
        return `<h${depth} id="${anchor}">${inner} ${link}</h${depth}>\n`
      },
      code: ({ text, lang = '' }) => renderCode(text, lang),
      link({ href, tokens }) {
        // Email addresses in examples are not real.
        if (href.startsWith('mailto:')) return this.parser.parseInline(tokens)
        const target = linkTarget(id, href, ids)
        return `<a href="${escapeHtml(target)}">${this.parser.parseInline(tokens)}</a>`
      },
      image({ href, text }) {
        const picture = pictures.get(/^pictures\/([\w.-]+)$/.exec(href)?.[1] ?? '')
        if (!picture) throw new Error(`docs/${id}.md shows ${href}, which is not there`)
        const image = `<img src="${picture.address}" alt="${escapeHtml(text)}" loading="lazy">`
        const dark = pictures.get(href.replace(/^pictures\/(.+)(?=\.\w+$)/, '$1-dark'))?.address
        const source = dark && `<source media="(prefers-color-scheme: dark)" srcset="${dark}">`
        return source ? `<picture>${source}${image}</picture>` : image
      },
      // Comments mark tables that are generated from the source.
      html: ({ text }) => (/^<!--[^]*-->\s*$/.test(text) ? '' : escapeHtml(text)),
      table(token) {
        return `<div class="wide" tabindex="0">${renderTable(token, this.parser)}</div>\n`
      },
    },
  })
  const html = marked.parse(markdown, { async: false })
  return { html, sections: withTexts(sections, markdown) }
}

type Parser = { parseInline(tokens: Tokens.Generic[]): string }

function renderTable({ header, rows }: Tokens.Table, parser: Parser): string {
  const cell = (tag: string) => (one: Tokens.TableCell) =>
    `<${tag}>${parser.parseInline(one.tokens)}</${tag.split(' ')[0]}>`
  // A head without text names nothing.
  const head = (one: Tokens.TableCell) => cell(one.text === '' ? 'td' : 'th')(one)
  const heads = header.some(({ text }) => text !== '')
    ? `<thead><tr>${header.map(head).join('')}</tr></thead>`
    : ''
  // Small screens stack the cells of a row, without their heads.
  const labelled = (one: Tokens.TableCell, column: number) => {
    const label = column > 0 ? (header[column]?.text ?? '') : ''
    return cell(label ? `td data-label="${escapeHtml(plain(label))}"` : 'td')(one)
  }
  const body = rows.map((row) => `<tr>${row.map(labelled).join('')}</tr>`).join('\n')
  return `<table>${heads}<tbody>${body}</tbody></table>`
}

/** `other.md#part` becomes a page of the site; external links stay as they are. */
function linkTarget(id: string, href: string, ids: ReadonlySet<string>): string {
  const [, target, hash = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? []
  if (target === undefined) {
    if (/^(https?:\/\/|\/|#)/.test(href)) return href
    throw new Error(`docs/${id}.md links to ${href}, which is not on the site`)
  }
  if (!ids.has(target)) throw new Error(`docs/${id}.md links to ${href}, which is no page`)
  return target === 'index' ? `/${hash}` : `/docs/${target}${hash}`
}

function freeAnchor(title: string, taken: Set<string>): string {
  const base =
    title
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '') || 'part'
  let anchor = base
  for (let number = 2; taken.has(anchor); number += 1) anchor = `${base}-${number}`
  taken.add(anchor)
  return anchor
}

/**
 * Headings and texts are matched in order, because fenced code may contain lines like headings.
 * Code comes after prose, so that excerpts show prose first.
 */
function withTexts(sections: readonly Section[], markdown: string): Section[] {
  const parts = [{ prose: '', code: '' }]
  let isCode = false
  for (const line of markdown.split('\n')) {
    const part = parts.at(-1)!
    if (line.startsWith('```')) isCode = !isCode
    else if (isCode) part.code += ` ${line}`
    else if (/^#{1,6} /.test(line)) parts.push({ prose: '', code: '' })
    else if (line.startsWith('|')) {
      const cells = line.replaceAll(/^[| ]+|[.| ]+$/g, '')
      part.prose += ` ${cells.replaceAll(/[| ]*\|[| ]*/g, ' · ')}${cells && '.'}`
    } else part.prose += ` ${line.replace(/^(?:[-*]|\d+\.) /, '')}`
  }
  return sections.map((section, place) => {
    const { prose = '', code = '' } = parts[place + 1] ?? {}
    return { ...section, text: `${plain(prose)} ${plain(code)}`.trim() }
  })
}

/** Words without markup. */
function plain(text: string): string {
  return text
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/(?<!_)\*|`/g, '')
    .replaceAll(/[|│]+|-{3,}:?(?: ·|\.)/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** What readers call the languages of code blocks. */
const names: Readonly<Record<string, string>> = {
  caddy: 'Caddyfile',
  console: 'Terminal',
  dockerfile: 'Containerfile',
  ini: 'Unit file',
  js: 'JavaScript',
  json: 'JSON',
  nginx: 'nginx',
  python: 'Python',
  sh: 'Terminal',
  text: 'Text',
}

/**
 * A block of code below a bar that names its language; site.js puts the copy button into the bar,
 * so that it never covers code.
 */
export function renderCode(text: string, language: string): string {
  const kind = language ? ` data-lang="${escapeHtml(language)}"` : ''
  const bar = `<div class="code-bar"><span>${names[language] ?? 'Text'}</span></div>`
  return `<div class="code">${bar}
<pre${kind} tabindex="0"><code>${escapeHtml(text)}</code></pre></div>\n`
}
