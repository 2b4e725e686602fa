import { t } from '../../lib/i18n.ts'
import { isListWanted } from '../../lib/keys.ts'
import { sendsEmail } from '../../lib/page-data.ts'
import type { ViewProps } from '../../lib/routes.ts'
import { Heading } from '../../ui/heading.tsx'
import { Parts, usePart } from '../../ui/parts.tsx'
import { Contacts } from './contacts.tsx'
import { LinkedSignIns, useLinked } from './linked.tsx'
import { Passkeys } from './passkeys.tsx'
import { Password } from './password.tsx'
import { Profile } from './profile.tsx'
import { Sessions } from './sessions.tsx'
import { Tokens } from './tokens.tsx'
import { TwoStep } from './two-step.tsx'
import { api } from '../../lib/api.ts'
import { goTo } from '../../lib/base-path.ts'
import { forgetShared } from '../../lib/forget-shared.ts'
import { me } from '../../lib/session.ts'
import { useSignal } from '../../lib/signals.ts'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { useConfirmation } from './confirmation.tsx'

const views = {
  profile: [Profile, 'account.profile'],
  contacts: [Contacts, 'account.contacts'],
  password: [Password, 'common.password'],
  passkeys: [Passkeys, 'account.passkeys'],
  providers: [LinkedSignIns, 'account.providers'],
  'two-step': [TwoStep, 'account.two_step'],
  sessions: [Sessions, 'account.sessions'],
  tokens: [Tokens, 'account.tokens'],
  delete: [DeleteAccount, 'account.delete'],
} as const
const names = Object.keys(views) as (keyof typeof views)[]

export function Account({ params }: ViewProps) {
  const wanted = params['view']
  const linked = useLinked().data
  const hasProviders = linked !== null && linked.providers.length + linked.identities.length > 0
  const offered = names.filter((name) => {
    if (name === 'providers') return hasProviders || name === wanted
    // Contacts are people to send email to.
    return name !== 'contacts' || sendsEmail()
  })
  const current = usePart('/account', offered, wanted)
  const View = current && views[current][0]
  return (
    <div class="card sided">
      {!View && <Heading title={t('nav.account')} />}
      <Parts
        title={t('nav.account')}
        path="/account"
        names={offered}
        textOf={(name) => t(views[name][1])}
        current={current}
        more={
          <button type="button" onClick={() => (isListWanted.value = true)}>
            {t('account.shortcuts')}
          </button>
        }
      />
      {View && (
        <div class="stack">
          <View key={current} />
        </div>
      )}
    </div>
  )
}

function DeleteAccount() {
  const typed = useSignal('')
  const { fields, confirm } = useConfirmation()
  const isWrong = useSignal(false)
  const email = me.value?.email ?? ''
  const remove = async () => {
    const isRight = typed.value.trim().toLowerCase() === email.toLowerCase()
    isWrong.value = !isRight
    if (!isRight) return
    const isDone = await confirm((body) => api('DELETE', '/api/account', { body }))
    if (!isDone) return
    forgetShared()
    goTo('/login')
  }
  return (
    <>
      <Heading title={t('account.delete')} />
      <p>{t('delete.text')}</p>
      <ul class="bullets">
        <li>{t('delete.shares')}</li>
        <li>{t('delete.requests')}</li>
        <li>{t('delete.contacts')}</li>
        <li>{t('delete.logins')}</li>
      </ul>
      <p>{t('delete.log')}</p>
      <Form kind="danger" action={t('delete.action')} onSubmit={remove}>
        <Field
          label={t('delete.email', { email })}
          type="email"
          autoComplete="off"
          required
          problem={isWrong.value ? t('delete.wrong_email') : undefined}
          value={typed}
        />
        {fields}
      </Form>
    </>
  )
}
