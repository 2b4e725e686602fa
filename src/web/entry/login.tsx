import { render } from 'preact'
import { loadTexts } from '../lib/i18n.ts'
import { applyTheme } from '../lib/theme.ts'
import { Page } from '../ui/page.tsx'
import { SignIn } from '../views/login/sign-in.tsx'

applyTheme()
await loadTexts({
  en: () => import('../i18n/en/login.ts'),
  de: () => import('../i18n/de/login.ts'),
})

/** Few have forgotten their password: the others do not load what those need. */
async function chooseView() {
  const sets = location.pathname === '/reset-password'
  if (!sets && !new URLSearchParams(location.search).has('forgot')) return SignIn
  const { AskForReset, SetPassword } = await import('../views/login/reset.tsx')
  return sets ? SetPassword : AskForReset
}

const View = await chooseView()

render(
  <Page>
    <View />
  </Page>,
  document.body,
)
