import { escapeHtml } from '../../http/html.ts'

/** An entry of the navigation. */
export interface NavEntry {
  readonly path: string
  readonly title: string
  /** Sections of the page that is shown. */
  readonly deps?: readonly { readonly anchor: string; readonly title: string }[]
}

export interface Shown {
  readonly path: string
  readonly title: string
  readonly description: string
  readonly content: string
  /** Path of the page as Markdown. */
  readonly markdownPath?: string
}

export const siteName = 'Transfer service'

/** The frame around the content of every page. */
export interface Surroundings {
  readonly nav: readonly NavEntry[]
  /** Address of a file in static/docs, which changes with its content so that it can be cached. */
  readonly addressOf: (asset: string) => string
}

/** A whole page. Its navigation is behind the text, or beside it on wide screens. */
export function renderFrame(shown: Shown, { nav, addressOf }: Surroundings): string {
  // A page outside of the list (-1) has no neighbours.
  const place = nav.findIndex(({ path }) => path === shown.path)
  const title = shown.path === '/' ? siteName : `${shown.title} · ${siteName}`
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
${shown.markdownPath ? renderAlternate(shown.markdownPath) : ''}
<script src="${addressOf('site.js')}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<a class="skip" href="/llms.txt" tabindex="-1" aria-hidden="true">For programs: all pages</a>
<header>
<a class="home" href="/">${siteName}</a>
<div class="search" role="search" hidden>
<input id="search" type="search" placeholder="Search" aria-label="Search" autocomplete="off"
  role="combobox" aria-expanded="false" aria-controls="found">
<ol id="found" role="listbox" aria-label="Found" hidden></ol>
</div>
<a class="to-nav" href="#pages">Pages</a>
</header>
<div class="columns">
<main id="content" tabindex="-1">
${shown.content}
${place === -1 ? '' : renderNeighbours(nav[place - 1], nav[place + 1])}
</main>
<nav id="pages" aria-label="Pages">
<ul>
${nav.map((entry) => renderEntry(entry, entry.path === shown.path)).join('\n')}
</ul>
</nav>
</div>
</body>
</html>
`
}

function renderAlternate(path: string): string {
  return `<link rel="alternate" type="text/markdown" href="${path}">`
}

function renderEntry({ path, title, deps = [] }: NavEntry, isShown: boolean): string {
  const current = isShown ? ' aria-current="page"' : ''
  const link = `<a href="${path}"${current}>${escapeHtml(title)}</a>`
  if (!isShown || deps.length === 0) return `<li>${link}</li>`
  const items = deps.map(
    (part) => `<li><a href="#${part.anchor}">${escapeHtml(part.title)}</a></li>`,
  )
  return `<li>${link}<ul>${items.join('')}</ul></li>`
}

function renderNeighbours(previous: NavEntry | undefined, next: NavEntry | undefined): string {
  const link = (entry: NavEntry | undefined, rel: string, words: string) =>
    entry
      ? `<a rel="${rel}" href="${entry.path}">
<small>${words}</small> ${escapeHtml(entry.title)}</a>`
      : ''
  const links = link(previous, 'prev', 'Before') + link(next, 'next', 'Next')
  return links ? `<p class="neighbours">${links}</p>` : ''
}
