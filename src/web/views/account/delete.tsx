import { api } from '../../lib/api.ts'
import { goTo } from '../../lib/base-path.ts'
import { forgetShared } from '../../lib/forget-shared.ts'
import { t } from '../../lib/i18n.ts'
import { me } from '../../lib/session.ts'
import { useSignal } from '../../lib/signals.ts'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Heading } from '../../ui/heading.tsx'
import { useConfirmation } from './confirmation.tsx'

export function DeleteAccount() {
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
