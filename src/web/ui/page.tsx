import { type ComponentChildren, render } from 'preact'
import { connection } from '../lib/api.ts'
import { branding } from '../lib/branding.ts'
import { t, language } from '../lib/i18n.ts'
import { whenDark } from '../lib/theme.ts'

/** A page outside of the signed-in app: one small card. */
export function Page(props: {
  readonly children: ComponentChildren
  /** For recipients, who have no start page: the name is not a link. */
  readonly homeless?: boolean
}) {
  return (
    <div class="shell public">
      <header>{props.homeless ? <Name /> : <Brand />}</header>
      <ConnectionStrip />
      <main id="main" class="transfer small">
        {props.children}
      </main>
      <Links />
    </div>
  )
}

export function Brand() {
  return (
    <a class="brand" href="/">
      <Name />
    </a>
  )
}

function Name() {
  return (
    <span class="brand">
      {branding.hasLogo ? (
        <picture>
          {branding.hasDarkLogo && <source media={whenDark.value} srcset="/logo-dark" />}
          <img src="/logo" alt="" />
        </picture>
      ) : (
        <img src="/static/icon.svg" width="28" height="28" alt="" />
      )}
      <span class="name">{branding.appName}</span>
    </span>
  )
}

/** Visible while requests do not get through, even if the browser reports a connection. */
export function ConnectionStrip() {
  const state = connection.value
  return (
    <div role="status">
      {state !== 'ok' && (
        <p class="strip">{t(state === 'lost' ? 'connection.lost' : 'connection.back')}</p>
      )}
    </div>
  )
}

export function Links() {
  const { imprintUrl, privacyUrl } = branding
  if (!imprintUrl && !privacyUrl) return null
  return (
    <footer>
      {imprintUrl && <a href={imprintUrl}>{t('common.imprint')}</a>}
      {privacyUrl && <a href={privacyUrl}>{t('common.privacy')}</a>}
    </footer>
  )
}

/** Replaces a page that could not load its texts: no connection, or a newer version. */
export function showUnloaded(error: unknown): never {
  const [title, action] = document.documentElement.dataset['unloaded']!.split('|')
  const page = (
    <div class="shell public" lang={language}>
      <main class="transfer small">
        <h1>{title}</h1>
        <button type="button" class="button primary wide" onClick={() => location.reload()}>
          {action}
        </button>
      </main>
    </div>
  )
  render(page, document.body)
  throw error
}
