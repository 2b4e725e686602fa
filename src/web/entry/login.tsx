import { render } from 'preact'
import { loadTexts } from '../lib/i18n.ts'
import { applyTheme } from '../lib/theme.ts'
import { Page } from '../ui/page.tsx'
import { showUnloaded } from '../ui/unloaded.tsx'
import { SignIn } from '../views/login/sign-in.tsx'

/** Setting a password is rare, so its code is loaded separately. */
async function chooseView() {
  const { pathname, search } = location
  const isLogin = pathname === '/login'
  if (isLogin && !new URLSearchParams(search).has('forgot')) return SignIn
  const [views] = await Promise.all([
    import('../views/login/reset.tsx'),
    loadTexts({ en: () => import('../i18n/en/reset.ts'), de: () => import('../i18n/de/reset.ts') }),
  ])
  if (isLogin) return views.AskForReset
  return pathname === '/invitation' ? views.AcceptInvitation : views.SetPassword
}

async function start(): Promise<void> {
  await loadTexts({
    en: () => import('../i18n/en/login.ts'),
    de: () => import('../i18n/de/login.ts'),
  })
  const View = await chooseView()
  render(
    <Page>
      <View />
    </Page>,
    document.body,
  )
}

applyTheme()
void start().catch(showUnloaded)
