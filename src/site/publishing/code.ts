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
