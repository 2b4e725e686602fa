import { api } from '../../lib/api.ts'
import { t } from '../../lib/i18n.ts'
import { me } from '../../lib/session.ts'
import { useSignal } from '../../lib/signals.ts'
import { NewPasswordField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Heading } from '../../ui/heading.tsx'
import { useConfirmation } from './confirmation.tsx'

const lengthMin = 8
const lengthGood = 16

export function Password() {
  const { fields, confirm } = useConfirmation()
  const newPassword = useSignal('')
  const change = () =>
    confirm(async (proof) => {
      const body = { newPassword: newPassword.value, ...proof }
      await api('POST', '/api/account/password', { body })
      newPassword.value = ''
    })
  return (
    <>
      <Heading title={t('common.password')} />
      <p class="faint">{t('password.effect')}</p>
      <Form action={t('password.change')} onSubmit={change} done={t('password.changed')}>
        {/* Tells password managers the account. */}
        <input hidden type="email" autoComplete="username" value={me.value?.email} readOnly />
        {fields}
        <NewPasswordField
          label={t('password.new')}
          minLength={lengthMin}
          required
          hint={newPassword.value && <Length length={newPassword.value.length} />}
          value={newPassword}
        />
      </Form>
    </>
  )
}

/** Only the length matters: there are no composition rules. */
function Length({ length }: { readonly length: number }) {
  const missing = lengthMin - length
  const word = length < lengthGood ? t('password.fair') : t('password.good')
  return (
    <>
      <meter
        aria-label={t('password.length')}
        max={lengthGood}
        low={lengthMin}
        high={lengthGood - 1}
        optimum={lengthGood}
        value={length}
      />{' '}
      {missing > 0 ? t('password.missing', { n: missing }) : word}
    </>
  )
}
