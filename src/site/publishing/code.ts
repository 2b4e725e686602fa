import { escapeHtml } from '../../http/html.ts'

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

const strings = String.raw`"(?:[^"\\]|\\.)*"|'[^']*'`
const hashComments = new RegExp(String.raw`(?<c>(?<=^|\s)#.*$)|(?<s>${strings})`, 'gm')
const slashComments = new RegExp(String.raw`(?<c>(?<=^|\s)\/\/.*$)|(?<s>${strings})`, 'gm')
const tokens: Readonly<Record<string, RegExp>> = {
  caddy: hashComments,
  console: hashComments,
  dockerfile: hashComments,
  ini: /(?<c>^#.*$)|(?<s>^\[.*\]$)/gm,
  js: slashComments,
  json: /(?<s>"(?:[^"\\]|\\.)*")/g,
  nginx: hashComments,
  python: hashComments,
  sh: hashComments,
}

/**
 * A block of code below a bar that names its language; site.js puts the copy button into the bar,
 * so that it never covers code.
 */
export function renderCode(text: string, language: string): string {
  const kind = language ? ` data-lang="${escapeHtml(language)}"` : ''
  const bar = `<div class="code-bar"><span>${names[language] ?? 'Text'}</span></div>`
  return `<div class="code">${bar}
<pre${kind} tabindex="0"><code>${highlight(text, language)}</code></pre></div>\n`
}

/** Marks comments and strings. */
function highlight(text: string, language: string): string {
  const pattern = tokens[language]
  if (!pattern) return escapeHtml(text)
  let html = ''
  let end = 0
  for (const found of text.matchAll(pattern)) {
    const kind = found.groups?.['c'] === undefined ? 's' : 'c'
    html += escapeHtml(text.slice(end, found.index))
    html += `<span class="${kind}">${escapeHtml(found[0])}</span>`
    end = found.index + found[0].length
  }
  return html + escapeHtml(text.slice(end))
}
