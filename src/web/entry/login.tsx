import { render } from 'preact'
import { loadTexts } from '../lib/i18n.ts'
import { Page } from '../ui/page.tsx'
import { AskForReset, SetPassword } from '../views/login/reset.tsx'
import { SignIn } from '../views/login/sign-in.tsx'

await loadTexts({
  en: () => import('../i18n/en/login.ts'),
  de: () => import('../i18n/de/login.ts'),
})

function view() {
  if (location.pathname === '/reset-password') return <SetPassword />
  return new URLSearchParams(location.search).has('forgot') ? <AskForReset /> : <SignIn />
}

render(<Page>{view()}</Page>, document.body)
