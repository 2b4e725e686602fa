import { randomBytes } from 'node:crypto'
import { page, type Answer, type RenderedPage } from '../../http/answer.ts'
import { escapeHtml } from '../../http/html.ts'
import { initialsOf } from '../../lib/initials.ts'
import type { Language } from '../../lib/language.ts'
import type { Settings } from '../../settings/settings.ts'
import { defaultSettings } from '../../settings/table.ts'
import type { Assets } from './assets.ts'
import { notFoundSpec } from './not-found.ts'

/** The pages of the web UI, each with its own script (src/web/entry/). */
export type PageEntry = 'app' | 'share' | 'guest' | 'login' | 'setup'

export interface PageSpec {
  readonly entry: PageEntry
  /** Text. */
  readonly title: string
  /** Trusted HTML, shown before or without the script. */
  readonly body: string
  /** For a body that is complete without the script: adds the deployment's name above it. */
  readonly language?: Language
  /** The script's probable language, when the script chooses it. */
  readonly likelyLanguage?: Language
  /** API paths that the script reads first. */
  readonly reads?: readonly string[]
  /** Initial data for the script, as JSON. */
  readonly data?: unknown
  /** The window's title instead of `title`, for programs that preview links by it. */
  readonly windowTitle?: string
  readonly preview?: LinkPreview
}

/** What messengers show of a link. */
export interface LinkPreview {
  readonly title: string
  readonly description: string
  /** Address of a picture, and what it shows. */
  readonly image?: { readonly url: string; readonly width: number; readonly height: number }
}

/** The frame of every page: the deployment's name, its style, and the page's script. */
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

  /** For browsers that ask for an address with nothing behind it. */
  notFound(language: Language): Answer {
    return page(this.render(notFoundSpec(language)), 404)
  }

  #html(spec: PageSpec, nonce: string): string {
    const { entry, title, body, data, preview, language, likelyLanguage, reads = [] } = spec
    const { appName, logo, logoDark, welcomeText, imprintUrl, privacyUrl, accentColor } =
      this.#settings.values
    const { script, style, preload, texts } = this.#assets.page(entry)
    const hasLogo = logo !== ''
    const hasDarkLogo = hasLogo && logoDark !== ''
    const branding = { appName, hasLogo, hasDarkLogo, welcomeText, imprintUrl, privacyUrl }
    const wholeTitle = `${spec.windowTitle ?? title} – ${appName}`
    const head = [meta('name', 'branding', JSON.stringify(branding))]
    if (data !== undefined) head.push(meta('name', 'data', JSON.stringify(data)))
    // A page without HTML content need not paint before it knows the user's theme.
    const blocking = ['app', 'login', 'setup'].includes(entry) ? ' blocking="render"' : ''
    // Otherwise scripts find these only after they are loaded.
    const spoken = language ?? likelyLanguage
    const scripts = spoken ? [...preload, texts[spoken]] : preload
    const early = [...scripts.map((name) => modulePreload(name, nonce)), ...reads.map(fetchPreload)]
    const hasTheme = accentColor !== defaultSettings.accentColor
    if (preview) head.push(...previewTags(preview, appName, language ?? 'en'))
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

  /** The same frame as `Page` in src/web/ui/page.tsx. */
  #frame(body: string, language: Language): string {
    const { appName, logo, logoDark, imprintUrl, privacyUrl } = this.#settings.values
    const links = [
      imprintUrl && link(imprintUrl, language === 'de' ? 'Impressum' : 'Imprint'),
      privacyUrl && link(privacyUrl, language === 'de' ? 'Datenschutz' : 'Privacy'),
    ].filter(Boolean)
    const image = logo ? logoPicture(logoDark !== '') : mark
    return `<div class="shell public">
<header><span class="brand">${image}${escapeHtml(appName)}</span></header>
${body}
${links.length > 0 ? `<footer>${links.join('\n')}</footer>` : ''}
</div>`
  }
}

/** For services without a logo of their own. */
const mark = '<img src="/static/icon.svg" width="28" height="28" alt="">'

/** Public pages follow the device's theme. Browsers load only one of the two pictures. */
function logoPicture(hasDark: boolean): string {
  const dark = '<source media="(prefers-color-scheme: dark)" srcset="/logo-dark">'
  return `<picture>${hasDark ? dark : ''}<img src="/logo" alt=""></picture>`
}

function modulePreload(name: string, nonce: string): string {
  return `<link rel="modulepreload" nonce="${nonce}" href="/static/app/${name}">`
}

/** `anonymous` is the mode of a script's fetch(), which sends cookies to our own origin. */
function fetchPreload(path: string): string {
  return `<link rel="preload" as="fetch" crossorigin="anonymous" href="${path}">`
}

/** Who sends files or asks for them, with initials. Plain texts. */
export function renderSender(name: string, text: string): string {
  const initials = escapeHtml(initialsOf(name))
  return `<p class="sender"><span class="avatar" aria-hidden="true">${initials}</span>
<span>${escapeHtml(text)}</span></p>`
}

function link(href: string, text: string): string {
  return `<a href="${escapeHtml(href)}">${text}</a>`
}

function meta(attribute: 'name' | 'property', name: string, content: string): string {
  return `<meta ${attribute}="${name}" content="${escapeHtml(content)}">`
}

/** Link previews in messengers (the Open Graph protocol). */
function previewTags(preview: LinkPreview, appName: string, language: Language): string[] {
  const { title, description, image } = preview
  const property = (name: string, content: string | number) =>
    meta('property', `og:${name}`, String(content))
  return [
    property('type', 'website'),
    property('site_name', appName),
    property('locale', language === 'de' ? 'de_DE' : 'en_US'),
    property('title', title),
    property('description', description),
    ...(image
      ? [
          property('image', image.url),
          property('image:type', 'image/png'),
          property('image:width', image.width),
          property('image:height', image.height),
          property('image:alt', title),
          // Without it, some programs show the picture as a stamp.
          meta('name', 'twitter:card', 'summary_large_image'),
        ]
      : []),
  ]
}
