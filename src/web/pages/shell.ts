import { randomBytes } from 'node:crypto'
import type { RenderedPage } from '../../http/answer.ts'
import { escapeHtml } from '../../http/html.ts'
import type { Language } from '../../lib/language.ts'
import type { Settings } from '../../settings/settings.ts'
import { defaultSettings } from '../../settings/table.ts'
import type { Assets } from './assets.ts'

/** The pages of the web UI: each has its own script (src/web/entry/). */
export type PageEntry = 'app' | 'share' | 'guest' | 'login' | 'setup'

export interface PageSpec {
  readonly entry: PageEntry
  /** Text. */
  readonly title: string
  /** HTML of ours: what is there before the script runs, or without it. */
  readonly body: string
  /** Given for a body that is whole without the script: the deployment's name goes above it. */
  readonly language?: Language
  /** What the script will most likely speak, where it is the one to choose. */
  readonly likelyLanguage?: Language
  /** Paths of the API that the script reads first. */
  readonly reads?: readonly string[]
  /** What the script needs to know at once, as JSON. */
  readonly data?: unknown
  /** Texts for link previews. */
  readonly preview?: { readonly title: string; readonly description: string }
}

/** What is around every page: the deployment's name, its style, and the page's script. */
export class PageShell {
  readonly #assets: Assets
  readonly #settings: Settings

  constructor(deps: { assets: Assets; settings: Settings }) {
    this.#assets = deps.assets
    this.#settings = deps.settings
  }

  render(spec: PageSpec): RenderedPage {
    const nonce = randomBytes(16).toString('base64')
    return { html: this.#html(spec, nonce), nonce }
  }

  #html(spec: PageSpec, nonce: string): string {
    const { entry, title, body, data, preview, language, likelyLanguage, reads = [] } = spec
    const { appName, logo, logoDark, welcomeText, imprintUrl, privacyUrl, accentColor } =
      this.#settings.values
    const { script, style, preload, texts } = this.#assets.page(entry)
    const hasLogo = logo !== ''
    const hasDarkLogo = hasLogo && logoDark !== ''
    const branding = { appName, hasLogo, hasDarkLogo, welcomeText, imprintUrl, privacyUrl }
    const wholeTitle = `${title} – ${appName}`
    const head = [meta('name', 'branding', JSON.stringify(branding))]
    if (data !== undefined) head.push(meta('name', 'data', JSON.stringify(data)))
    // Without its script such a page has nothing to show: it need not paint the ground before it
    // knows the colours that somebody chose.
    const blocking = ['app', 'login', 'setup'].includes(entry) ? ' blocking="render"' : ''
    // Found by the scripts themselves only once these are there.
    const spoken = language ?? likelyLanguage
    const scripts = spoken ? [...preload, texts[spoken]] : preload
    const early = [...scripts.map((name) => modulePreload(name, nonce)), ...reads.map(fetchPreload)]
    const hasTheme = accentColor !== defaultSettings.accentColor
    if (preview) head.push(...linkPreview(`${preview.title} – ${appName}`, preview.description))
    return `<!doctype html>
<html lang="${language ?? 'en'}"${language ? ` data-language="${language}"` : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
${head.join('\n')}
<title>${escapeHtml(wholeTitle)}</title>
<link rel="icon" href="/static/icon.svg">
<link rel="stylesheet" href="/static/app/${style}">
${hasTheme ? '<link rel="stylesheet" href="/theme.css">\n' : ''}${early.join('\n')}
<script type="module" nonce="${nonce}"${blocking} src="/static/app/${script}"></script>
</head>
<body>
${language ? this.#frame(body, language) : body}
</body>
</html>
`
  }

  /** What `Page` of src/web/ui/page.tsx shows around a view. */
  #frame(body: string, language: Language): string {
    const { appName, logo, logoDark, imprintUrl, privacyUrl } = this.#settings.values
    const links = [
      imprintUrl && link(imprintUrl, language === 'de' ? 'Impressum' : 'Imprint'),
      privacyUrl && link(privacyUrl, language === 'de' ? 'Datenschutz' : 'Privacy'),
    ].filter(Boolean)
    const image = logo ? logoPicture(logoDark !== '') : ''
    return `<div class="shell">
<header><span class="brand">${image}${escapeHtml(appName)}</span></header>
${body}
${links.length > 0 ? `<footer>${links.join('\n')}</footer>` : ''}
</div>`
  }
}

/** Strangers choose no colours here: theirs are the device's. A browser loads one of the two. */
function logoPicture(hasDark: boolean): string {
  const dark = '<source media="(prefers-color-scheme: dark)" srcset="/logo-dark">'
  return `<picture>${hasDark ? dark : ''}<img src="/logo" alt=""></picture>`
}

function modulePreload(name: string, nonce: string): string {
  return `<link rel="modulepreload" nonce="${nonce}" href="/static/app/${name}">`
}

/** `anonymous` is the mode of a script's own fetch(), which sends cookies to our own address. */
function fetchPreload(path: string): string {
  return `<link rel="preload" as="fetch" crossorigin="anonymous" href="${path}">`
}

function link(href: string, text: string): string {
  return `<a href="${escapeHtml(href)}">${text}</a>`
}

function meta(attribute: 'name' | 'property', name: string, content: string): string {
  return `<meta ${attribute}="${name}" content="${escapeHtml(content)}">`
}

/** What messengers show of a link (the Open Graph protocol). */
function linkPreview(title: string, description: string): string[] {
  return [
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:type', 'website'),
  ]
}
