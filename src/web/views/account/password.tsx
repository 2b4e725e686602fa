import { useState } from 'preact/hooks'
import { api } from '../../lib/api.ts'
import { t } from '../../lib/i18n.ts'
import { me } from '../../lib/session.ts'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Heading } from '../../ui/heading.tsx'
import { useConfirmation } from './confirmation.tsx'

const lengthMin = 8
const lengthGood = 16

export function Password() {
  const { fields, confirm } = useConfirmation()
  const [newPassword, setNew] = useState('')
  const [isChanged, setChanged] = useState(false)
  const change = async () => {
    setChanged(false)
    const send = (proof: object) =>
      api('POST', '/api/account/password', { body: { newPassword, ...proof } })
    if (!(await confirm(send))) return
    setNew('')
    setChanged(true)
  }
  return (
    <>
      <Heading title={t('account.password')} />
      <p class="faint">{t('password.effect')}</p>
      <Form
        action={t('password.change')}
        onSubmit={change}
        done={isChanged ? t('password.changed') : ''}
      >
        {/* Tells password managers the account. */}
        <input hidden type="email" autoComplete="username" value={me.value?.email} readOnly />
        {fields}
        <Field
          label={t('password.new')}
          type="password"
          autoComplete="new-password"
          minLength={lengthMin}
          maxLength={256}
          required
          hint={<Length length={newPassword.length} />}
          value={newPassword}
          onValue={setNew}
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
