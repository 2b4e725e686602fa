import { render } from 'preact'
import { pathAt } from '../lib/base-path.ts'
import { copyText } from '../lib/clipboard.ts'
import { loadTexts, t } from '../lib/i18n.ts'
import { linkToBase } from '../lib/links.ts'
import { proxyUser, readPageData } from '../lib/page-data.ts'
import { applyTheme } from '../lib/theme.ts'
import { Page, showUnloaded } from '../ui/page.tsx'
import { SignIn } from '../views/login/sign-in.tsx'

/** All but signing in is rare, so its code is loaded separately. */
async function chooseView() {
  const path = pathAt(location.pathname)
  const isLogin = path === '/login'
  const asks = new URLSearchParams(location.search)
  if (isLogin && proxyUser() !== null && !asks.has('other')) {
    const [view] = await Promise.all([import('../views/login/proxy.tsx'), loadTexts('reset')])
    return view.ContinueAs
  }
  if (isLogin && !asks.has('forgot')) return SignIn
  if (path === '/sign-up') {
    const [view] = await Promise.all([import('../views/login/sign-up.tsx'), loadTexts('reset')])
    return view.SignUp
  }
  const [views] = await Promise.all([import('../views/login/reset.tsx'), loadTexts('reset')])
  if (isLogin) return views.AskForReset
  return path === '/invitation' ? views.AcceptInvitation : views.SetPassword
}

async function start(): Promise<void> {
  await loadTexts('login')
  if (readPageData<{ isNotSetUp?: true }>().isNotSetUp) return addCopyButtons()
  const View = await chooseView()
  const page = (
    <Page>
      <View />
    </Page>
  )
  render(page, document.body)
}

/** On the page before the setup, which the service has made. */
function addCopyButtons(): void {
  for (const command of document.querySelectorAll('pre')) {
    const button = document.createElement('button')
    button.className = 'button'
    button.textContent = t('common.copy')
    button.onclick = async () => {
      const isCopied = await copyText(command.textContent!)
      if (!isCopied) getSelection()!.selectAllChildren(command)
      button.textContent = t(isCopied ? 'common.copied' : 'common.copy_by_hand')
    }
    command.after(button)
  }
}

// A link of an email that is opened over the page of another one changes nothing else.
addEventListener('hashchange', () => location.reload())
linkToBase()
applyTheme()
void start().catch(showUnloaded)
