import { escapeHtml, type PageSpec, type Shell } from '../http/html.ts'
import type { Settings } from '../settings/settings.ts'
import type { Assets } from './assets.ts'

/** What is around every page: the deployment's name, its style, and the page's script. */
export class PageShell implements Shell {
  readonly #assets: Assets
  readonly #settings: Settings

  constructor(parts: { assets: Assets; settings: Settings }) {
    this.#assets = parts.assets
    this.#settings = parts.settings
  }

  render({ entry, title, body, data, description }: PageSpec): string {
    const { appName, logo, welcomeText, imprintUrl, privacyUrl } = this.#settings.values
    const { script, style } = this.#assets.page(entry)
    const hasLogo = logo !== ''
    const branding = { appName, hasLogo, welcomeText, imprintUrl, privacyUrl }
    const wholeTitle = `${title} – ${appName}`
    const head = [meta('name', 'branding', JSON.stringify(branding))]
    if (data !== undefined) head.push(meta('name', 'data', JSON.stringify(data)))
    // Without its script such a page has nothing to show: it need not paint the ground before it
    // knows the colours that somebody chose.
    const blocking = entry === 'app' || entry === 'login' ? ' blocking="render"' : ''
    if (description !== undefined) head.push(...preview(wholeTitle, description))
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
${head.join('\n')}
<title>${escapeHtml(wholeTitle)}</title>
<link rel="icon" href="/static/icon.svg">
<link rel="stylesheet" href="/static/app/${style}">
<link rel="stylesheet" href="/theme.css">
<script type="module"${blocking} src="/static/app/${script}"></script>
</head>
<body>
${body}
</body>
</html>
`
  }
}

function meta(attribute: 'name' | 'property', name: string, content: string): string {
  return `<meta ${attribute}="${name}" content="${escapeHtml(content)}">`
}

/** What messengers show of a link (the Open Graph protocol). */
function preview(title: string, description: string): string[] {
  return [
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:type', 'website'),
  ]
}
