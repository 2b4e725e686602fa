import { render } from 'preact'
import { useEffect } from 'preact/hooks'
import { api, ApiError, connection, mustEnrol } from '../lib/api.ts'
import { addressOf } from '../lib/base-path.ts'
import { keepFocus } from '../lib/focus.ts'
import { loadTexts, t } from '../lib/i18n.ts'
import { listenForKeys } from '../lib/keys.ts'
import { linkToBase } from '../lib/links.ts'
import { followLinks, match, place } from '../lib/router.ts'
import type { View } from '../lib/routes.ts'
import { factors, me, signInByProxy, type Factors, type User } from '../lib/session.ts'
import { effect, useSignal } from '../lib/signals.ts'
import { applyTheme } from '../lib/theme.ts'
import { surviveTranslation } from '../lib/translated.ts'
import { Heading } from '../ui/heading.tsx'
import { Page, showUnloaded } from '../ui/page.tsx'
import { Loading, Missing, Problem } from '../ui/state.tsx'
import { Toasts } from '../ui/toast.tsx'
import { enrolment, routes } from '../views/routes.ts'
import { Dock } from '../views/send/dock.tsx'
import { Shell } from '../views/shell/shell.tsx'
import { askForPassword, SignInAgain } from '../views/shell/sign-in-again.tsx'

function App() {
  if (mustEnrol.value) {
    return (
      <>
        <Page>
          <Loaded key="enrolment" view={enrolment} params={{}} />
        </Page>
        <Toasts />
        <SignInAgain />
      </>
    )
  }
  const { path, search } = place.value
  const parameters = new URLSearchParams(search)
  for (const route of routes) {
    const params = match(route.path, path)
    if (route.query && !parameters.has(route.query)) continue
    if (!params || (route.adminOnly && !me.value?.is_admin)) continue
    // Another share, or another request, is another view.
    const key = [route.path, route.query, params['shareId'], params['reverseId']].join(' ')
    return (
      <Shell dock={<Dock />}>
        <Loaded key={key} view={route.view} params={params} />
      </Shell>
    )
  }
  return (
    <Shell dock={<Dock />}>
      <Missing />
    </Shell>
  )
}

function Loaded(props: {
  readonly view: View | { load(): Promise<View> }
  readonly params: Readonly<Record<string, string>>
}) {
  const { view, params } = props
  const loaded = useSignal<{ view: View | null; error: unknown }>({
    view: typeof view === 'function' ? view : null,
    error: null,
  })
  const load = async (isAgain: boolean) => {
    if (typeof view === 'function') return
    if (isAgain) loaded.value = { view: null, error: null }
    try {
      // Waits for the connection. A running upload must not lose its page for this.
      if (isAgain) await api('GET', '/api/account')
      const found = await view.load()
      loaded.value = { view: found, error: null }
    } catch (error) {
      loaded.value = { view: null, error }
      // A new version has other files, and browsers may remember that one failed to load.
      if (isAgain && !(error instanceof ApiError)) location.reload()
    }
  }
  useEffect(() => void load(false), [view])
  const { view: Found, error } = loaded.value
  if (Found) return <Found params={params} />
  if (error !== null) return <Unopened error={error} onRetry={() => void load(true)} />
  return (
    <div class="card">
      <Loading />
    </div>
  )
}

function Unopened(props: { readonly error: unknown; readonly onRetry: () => void }) {
  return (
    <div class="transfer stack">
      <Heading title={t('common.unopened')} />
      <Problem {...props} />
    </div>
  )
}

async function start(isAgain = false): Promise<void> {
  const texts = loadTexts('app')
  // Shows that the page is waiting.
  const stop = effect(() => {
    if (connection.value === 'ok') return
    const page = (
      <Page>
        <Loading />
      </Page>
    )
    void texts.then(() => render(page, document.body))
  })
  try {
    const [user, factor] = await Promise.all([
      api<User>('GET', '/api/account'),
      api<Factors & { required: boolean }>('GET', '/api/auth/2fa/status'),
    ])
    me.value = user
    factors.value = factor
    mustEnrol.value = factor.required && !factor.enabled && !factor.hasPasskey
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401)) {
      await texts
      // An overloaded or broken service does not sign users out.
      const page = (
        <Page>
          <Unopened error={error} onRetry={() => location.reload()} />
        </Page>
      )
      return render(page, document.body)
    }
    if (!isAgain && (await signInByProxy())) return start(true)
    const wanted = place.value.path + place.value.search
    const next = wanted === '/' ? '' : `?next=${encodeURIComponent(wanted)}`
    location.replace(addressOf('/login') + next)
    return
  } finally {
    stop()
  }
  await texts
  askForPassword()
  listenForKeys()
  keepFocus()
  followLinks((path) => routes.some((route) => match(route.path, path)))
  render(<App />, document.body)
}

linkToBase()
surviveTranslation()
applyTheme()
void start().catch(showUnloaded)
