import { useEffect } from 'preact/hooks'
import { t } from '../../lib/i18n.ts'
import { isListWanted } from '../../lib/keys.ts'
import { sendsEmail } from '../../lib/page-data.ts'
import { go } from '../../lib/router.ts'
import type { ViewProps } from '../../lib/routes.ts'
import { signal } from '../../lib/signals.ts'
import { BackTo } from '../../ui/button.tsx'
import { Heading } from '../../ui/heading.tsx'
import { Icon } from '../../ui/icon.tsx'
import * as icons from '../../ui/icons.ts'
import { useLoad } from '../../ui/state.tsx'
import { Contacts } from './contacts.tsx'
import { DeleteAccount } from './delete.tsx'
import { LinkedSignIns, loadLinked } from './linked.tsx'
import { Passkeys } from './passkeys.tsx'
import { Password } from './password.tsx'
import { Profile } from './profile.tsx'
import { Sessions } from './sessions.tsx'
import { Tokens } from './tokens.tsx'
import { TwoStep } from './two-step.tsx'

const tabs = [
  { path: '/account/profile', name: 'account.profile', View: Profile },
  { path: '/account/contacts', name: 'account.contacts', View: Contacts },
  { path: '/account/password', name: 'account.password', View: Password },
  { path: '/account/passkeys', name: 'account.passkeys', View: Passkeys },
  { path: '/account/providers', name: 'account.providers', View: LinkedSignIns },
  { path: '/account/two-step', name: 'account.two_step', View: TwoStep },
  { path: '/account/sessions', name: 'account.sessions', View: Sessions },
  { path: '/account/tokens', name: 'account.tokens', View: Tokens },
  { path: '/account/delete', name: 'account.delete', View: DeleteAccount },
] as const

/** Below it, the parts are a list of which each opens as a page, as in the settings of phones. */
const narrow = matchMedia('(width < 40rem)')
const isNarrow = signal(narrow.matches)
narrow.addEventListener('change', () => (isNarrow.value = narrow.matches))

/** The account of the signed-in user, in tabs. */
export function Account({ params }: ViewProps) {
  const wanted = `/account/${params['view'] ?? 'profile'}`
  const linked = useLoad(loadLinked, []).data
  const hasProviders = linked !== null && linked.providers.length + linked.identities.length > 0
  const offered = tabs.filter(({ View, path }) => {
    if (View === LinkedSignIns) return hasProviders || path === wanted
    // Contacts are people to send email to.
    return View !== Contacts || sendsEmail()
  })
  const current = offered.find(({ path }) => path === wanted) ?? tabs[0]
  const { View } = current
  const isList = isNarrow.value && !params['view']
  // A window that becomes narrow then keeps the part, with what was typed into it.
  useEffect(() => {
    if (!isNarrow.value && !params['view']) go(tabs[0].path, { replace: true })
  }, [params['view']])
  if (isList) {
    return (
      <div class="card">
        <Heading title={t('account.title')} />
        <nav class="parts" aria-label={t('account.title')}>
          {offered.map(({ path, name }) => (
            <a key={path} href={path}>
              {t(name)}
              <Icon path={icons.next} />
            </a>
          ))}
        </nav>
      </div>
    )
  }
  return (
    <div class="card account">
      {isNarrow.value ? (
        <BackTo href="/account" text={t('account.title')} />
      ) : (
        <nav class="tabs" aria-label={t('account.title')}>
          {offered.map(({ path, name }) => (
            <a key={path} href={path} aria-current={path === current.path ? 'page' : undefined}>
              {t(name)}
            </a>
          ))}
          <button type="button" onClick={() => (isListWanted.value = true)}>
            {t('account.shortcuts')}
          </button>
        </nav>
      )}
      <div class="stack narrow">
        <View key={current.path} />
      </div>
    </div>
  )
}
