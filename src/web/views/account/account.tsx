import { t } from '../../lib/i18n.ts'
import { isListWanted } from '../../lib/keys.ts'
import { sendsEmail } from '../../lib/page-data.ts'
import type { ViewProps } from '../../lib/routes.ts'
import { Contacts } from './contacts.tsx'
import { DeleteAccount } from './delete.tsx'
import { LinkedSignIns } from './linked.tsx'
import { Passkeys } from './passkeys.tsx'
import { Password } from './password.tsx'
import { Profile } from './profile.tsx'
import { Sessions } from './sessions.tsx'
import { Tokens } from './tokens.tsx'
import { TwoStep } from './two-step.tsx'

const tabs = [
  { path: '/account', name: 'account.profile', View: Profile },
  { path: '/account/contacts', name: 'account.contacts', View: Contacts },
  { path: '/account/password', name: 'account.password', View: Password },
  { path: '/account/passkeys', name: 'account.passkeys', View: Passkeys },
  { path: '/account/providers', name: 'account.providers', View: LinkedSignIns },
  { path: '/account/two-step', name: 'account.two_step', View: TwoStep },
  { path: '/account/sessions', name: 'account.sessions', View: Sessions },
  { path: '/account/tokens', name: 'account.tokens', View: Tokens },
  { path: '/account/delete', name: 'account.delete', View: DeleteAccount },
] as const

/** The account of the signed-in user, in tabs. */
export function Account({ params }: ViewProps) {
  const wanted = `/account/${params['view'] ?? ''}`
  // Contacts are people to send email to.
  const offered = tabs.filter(({ View }) => View !== Contacts || sendsEmail())
  const current = offered.find(({ path }) => path === wanted) ?? tabs[0]
  const { View } = current
  return (
    <div class="card account">
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
      <div class="stack narrow">
        <View key={current.path} />
      </div>
    </div>
  )
}
