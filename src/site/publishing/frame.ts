import { escapeHtml } from '../../http/html.ts'
import type { Rendered, Section } from './markdown.ts'
import type { NavEntry, NavGroup } from './navigation.ts'

/** A page, whose HTML begins with the `<h1>`. */
export interface Shown extends Rendered {
  readonly path: string
  readonly title: string
  readonly description: string
  /** Path of the page as Markdown. */
  readonly markdownPath?: string
}

export const siteName = 'Transfer service'

/** The frame around the content of every page. */
export interface SiteFrame {
  readonly groups: readonly NavGroup[]
  /** Address of a file in static/docs, which changes with its content so that it can be cached. */
  readonly addressOf: (asset: string) => string
}

/** A page with fewer sections needs no list of them. */
const contentsMin = 2

/** A whole page. Its navigation is behind the text, or beside it on wide screens. */
export function renderFrame(shown: Shown, { groups, addressOf }: SiteFrame): string {
  const isHome = shown.path === '/'
  const markdown = shown.markdownPath
  const title = isHome ? `${siteName}: documentation` : `${shown.title} · ${siteName}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<meta name="description" content="${escapeHtml(shown.description)}">
<link rel="stylesheet" href="${addressOf('site.css')}">
<link rel="icon" href="${addressOf('icon.svg')}" type="image/svg+xml">
${markdown ? `<link rel="alternate" type="text/markdown" href="${markdown}">` : ''}
<script src="${addressOf('site.js')}" defer></script>
<script src="${addressOf('search.js')}" defer></script>
</head>
<body${isHome ? ' class="landing"' : ''}>
<a class="skip" href="#content">Skip to the content</a>
<a class="skip" href="/llms.txt" tabindex="-1" aria-hidden="true">For programs: all pages</a>
<header>
<a class="home" href="/"><img src="${addressOf('icon.svg')}" alt="" width="32" height="32">
<span>${siteName}</span></a>
<div class="search" role="search" hidden>
<input id="search" type="search" placeholder="Search" aria-label="Search" autocomplete="off"
  role="combobox" aria-expanded="false" aria-controls="found" aria-keyshortcuts="/">
<kbd aria-hidden="true">/</kbd>
<div id="found" role="listbox" aria-label="Results" hidden></div>
<p id="found-count" role="status"></p>
</div>
<a class="to-nav" href="#pages">Menu</a>
</header>
<div class="columns">
<main id="content" class="card" tabindex="-1">
${renderMain(shown, groups)}
</main>
<nav id="pages" aria-label="Pages">
<a class="close-nav" href="#content">Close menu</a>
${groups.map((group, place) => renderGroup(group, place, shown.path)).join('\n')}
</nav>
</div>
</body>
</html>
`
}

function renderMain(shown: Shown, groups: readonly NavGroup[]): string {
  const { path, html, sections, markdownPath } = shown
  const [heading = '', ...rest] = html.split(/(?<=<\/h1>)/)
  if (path === '/') return `${heading}${rest.join('')}`
  const group = groups.find(({ entries }) => entries.some((entry) => entry.path === path))
  const raw = markdownPath
    ? `<p class="facts"><a href="${markdownPath}">View as Markdown</a></p>`
    : ''
  return `<div class="head">
${group ? `<p class="group-name">${group.title}</p>` : ''}
${heading}
</div>
${renderContents(sections)}
<div class="text">${rest.join('')}
${renderNeighbours(groups, path)}
${raw}
</div>`
}

function renderContents(sections: readonly Section[]): string {
  const parts = sections.filter(({ anchor, depth }) => anchor && depth === 2)
  if (parts.length < contentsMin) return ''
  const items = parts.map(
    ({ anchor, title }) => `<li><a href="#${anchor}">${escapeHtml(title)}</a></li>`,
  )
  return `<details class="contents">
<summary>On this page</summary>
<ul>${items.join('\n')}</ul>
</details>`
}

function renderGroup({ title, entries }: NavGroup, place: number, shown: string): string {
  const items = entries.map(({ path, title: name }) => {
    const current = path === shown ? ' aria-current="page"' : ''
    return `<li><a href="${path}"${current}>${escapeHtml(name)}</a></li>`
  })
  return `<p id="nav-${place}">${title}</p>
<ul aria-labelledby="nav-${place}">${items.join('\n')}</ul>`
}

function renderNeighbours(groups: readonly NavGroup[], path: string): string {
  const all = groups.flatMap(({ entries }) => entries)
  const place = all.findIndex((entry) => entry.path === path)
  // A page outside of the navigation has no neighbours.
  if (place === -1) return ''
  const link = (entry: NavEntry | undefined, rel: string, words: string) =>
    entry
      ? `<a rel="${rel}" href="${entry.path}"><small>${words}</small>
${escapeHtml(entry.title)}</a>`
      : ''
  const links = link(all[place - 1], 'prev', 'Previous') + link(all[place + 1], 'next', 'Next')
  return `<p class="neighbours">${links}</p>`
}
