import { randomBytes } from 'node:crypto'
import { page, type Answer, type RenderedPage } from '../http/answer.ts'
import { escapeHtml } from '../http/html.ts'
import { pageTexts } from '../i18n/texts.ts'
import { linkBelow } from '../lib/base-path.ts'
import { languages, type Language } from '../lib/language.ts'
import type { Settings } from '../settings/settings.ts'
import type { Assets } from './assets.ts'
import { hasTheme } from './theme.ts'
import { homeLink, renderMessage } from './card.ts'

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
  /** Sends forms without its script, so that browsers have to name the origin of the page. */
  readonly hasForms?: true
}

/** What messengers show of a link. */
export interface LinkPreview {
  readonly title: string
  readonly description: string
  /** Address of a picture, and its size if it is known. */
  readonly image?: { readonly url: string; readonly width?: number; readonly height?: number }
}

/** The frame of every page: the deployment's name, its style, and the page's script. */
export class PageShell {
  readonly #assets: Assets
  readonly #settings: Settings
  readonly #basePath: string

  /** Paths in the HTML of pages have no base path: the shell adds it to all of them. */
  constructor(deps: { assets: Assets; settings: Settings; basePath: string }) {
    this.#assets = deps.assets
    this.#settings = deps.settings
    this.#basePath = deps.basePath
  }

  render(spec: PageSpec): RenderedPage {
    const nonce = randomBytes(16).toString('base64')
    const html = linkBelow(this.#basePath, this.#html(spec, nonce))
    return { html, nonce, isInstallable: spec.entry === 'app' }
  }

  /** For browsers that ask for an address with nothing behind it. */
  notFound(language: Language): Answer {
    return page(this.render(notFoundSpec(language)), 404)
  }

  #html(spec: PageSpec, nonce: string): string {
    const { entry, title, body, data, preview, language, likelyLanguage, reads = [] } = spec
    const { appName, logo, logoDark, welcomeText, imprintUrl, privacyUrl } = this.#settings.values
    const { script, style, preload } = this.#assets.page(entry)
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
    const scripts = spoken ? [...preload, this.#assets.textsOf(entry, spoken)] : preload
    const early = [...scripts.map((name) => modulePreload(name, nonce)), ...reads.map(fetchPreload)]
    const theme = hasTheme(this.#settings.values) ? themeLink : ''
    const attributes = this.#scriptAttributes(spoken ?? 'en', language !== undefined)
    if (spec.hasForms) head.push(meta('name', 'referrer', 'same-origin'))
    if (preview) head.push(...previewTags(preview, appName, language ?? 'en'))
    return `<!doctype html>
<html lang="${language ?? 'en'}"${attributes}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
${head.join('\n')}
<title>${escapeHtml(wholeTitle)}</title>
<link rel="icon" href="/static/icon.svg">
<script nonce="${nonce}">${earlyTheme}</script>
<link rel="stylesheet" href="/static/app/${style}">
${entry === 'app' ? installLinks : ''}${theme}${early.join('\n')}
<script type="module" nonce="${nonce}"${blocking} src="/static/app/${script}"></script>
</head>
<body>
${language ? this.#frame(body, language) : body}
</body>
</html>
`
  }

  /** What the script must know before it can load its texts. */
  #scriptAttributes(language: Language, isChosen: boolean): string {
    const { title, action } = pageTexts[language].unloaded
    const chosen = isChosen ? ` data-language="${language}"` : ''
    const base = ` data-base="${this.#basePath}"${chosen}`
    return `${base} data-texts="${this.#assets.textsVersion}" data-unloaded="${title}|${action}"`
  }

  /** The same frame as `Page` in src/web/ui/page.tsx. */
  #frame(body: string, language: Language): string {
    const { appName, logo, logoDark, imprintUrl, privacyUrl } = this.#settings.values
    const { imprint, privacy } = pageTexts[language].footer
    const links = [
      imprintUrl && link(imprintUrl, imprint),
      privacyUrl && link(privacyUrl, privacy),
    ].filter(Boolean)
    const image = logo ? logoPicture(logoDark !== '') : mark
    return `<div class="shell public">
<header><span class="brand">${image}<span class="name">${escapeHtml(appName)}</span></span></header>
${body}
<footer>${links.join('\n')}<span id="theme"></span></footer>
</div>`
  }
}

const themeLink = '<link rel="stylesheet" href="/theme.css">\n'

/** iOS reads only the second one. */
const installLinks = `<link rel="manifest" href="/manifest.webmanifest">
<link rel="apple-touch-icon" href="/static/apple-touch-icon.png">
`

/** For services without a logo of their own. */
const mark = '<img src="/static/icon.svg" width="28" height="28" alt="">'

/** Browsers load only one of the two pictures. The page's script applies a chosen theme. */
function logoPicture(hasDark: boolean): string {
  const dark = '<source media="(prefers-color-scheme: dark)" srcset="/logo-dark">'
  return `<picture>${hasDark ? dark : ''}<img src="/logo" alt=""></picture>`
}

/** The theme that was chosen in this browser (src/web/lib/theme.ts), before the first paint. */
const earlyTheme =
  'try{const t=localStorage.theme;' +
  "if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}"

function modulePreload(name: string, nonce: string): string {
  return `<link rel="modulepreload" nonce="${nonce}" href="/static/app/${name}">`
}

/** `anonymous` is the mode of a script's fetch(), which sends cookies to our own origin. */
function fetchPreload(path: string): string {
  return `<link rel="preload" as="fetch" crossorigin="anonymous" href="${path}">`
}

function link(href: string, text: string): string {
  return `<a href="${escapeHtml(href)}">${text}</a>`
}

function meta(attribute: 'name' | 'property', name: string, content: string): string {
  return `<meta ${attribute}="${name}" content="${escapeHtml(content)}">`
}

/** `de_DE`: with the country where most people speak it. */
const openGraphLocales = new Map(
  languages.map((name) => {
    const { language, region } = new Intl.Locale(name).maximize()
    return [name, `${language}_${region}`]
  }),
)

/** Link previews in messengers (the Open Graph protocol). */
function previewTags(preview: LinkPreview, appName: string, language: Language): string[] {
  const { title, description, image } = preview
  const property = (name: string, content: string | number) =>
    meta('property', `og:${name}`, String(content))
  return [
    property('type', 'website'),
    property('site_name', appName),
    property('locale', openGraphLocales.get(language)!),
    property('title', title),
    property('description', description),
    ...(image
      ? [
          property('image', image.url),
          ...(image.width ? [property('image:width', image.width)] : []),
          ...(image.height ? [property('image:height', image.height)] : []),
          property('image:alt', appName),
          // Without it, some programs show the picture as a stamp.
          meta('name', 'twitter:card', 'summary_large_image'),
        ]
      : []),
  ]
}

/** A page that works without its script. */
function notFoundSpec(language: Language): PageSpec {
  const { title, text } = pageTexts[language].notFound
  const more = homeLink(language)
  const body = renderMessage({ sign: 'nothing', title, text: `<p>${text}</p>`, more })
  return { entry: 'share', title, language, body, data: { state: 'not_found' } }
}
