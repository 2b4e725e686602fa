import { useState } from 'preact/hooks'
import { api } from '../../lib/api.ts'
import { t } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Heading } from '../../ui/heading.tsx'
import { Problem, useAction } from '../../ui/state.tsx'

/** Asks for a link by mail. Says the same for every address. */
export function AskForReset() {
  const [email, setEmail] = useState('')
  const [isAsked, setAsked] = useState(false)
  const action = useAction()
  const submit = async () => {
    await api('POST', '/api/auth/password-reset/request', { body: { email } })
    setAsked(true)
  }
  return (
    <form class="card" onSubmit={action.onSubmit(submit)}>
      <Heading title={t('reset.title')} />
      {isAsked ? (
        <p role="status">{t('reset.asked')}</p>
      ) : (
        <>
          <Field
            label={t('email')}
            type="email"
            autoComplete="username"
            required
            value={email}
            onValue={setEmail}
          />
          {action.error !== null && <Problem error={action.error} />}
          <Button kind="primary" type="submit" busy={action.isBusy}>
            {t('reset.ask')}
          </Button>
        </>
      )}
      <a href="/login">{t('reset.to_login')}</a>
    </form>
  )
}

/** Behind the mailed link. Its token is in the fragment, which browsers send to no server. */
export function SetPassword() {
  const [password, setPassword] = useState('')
  const [isSet, setSet] = useState(false)
  const action = useAction()
  const submit = async () => {
    const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? ''
    const body = { token, password }
    await api('POST', '/api/auth/password-reset/complete', { body, keepUnauthorized: true })
    setSet(true)
  }
  return (
    <form class="card" onSubmit={action.onSubmit(submit)}>
      <Heading title={t('reset.set_title')} />
      {isSet ? (
        <p role="status">{t('reset.done')}</p>
      ) : (
        <>
          <Field
            label={t('reset.new_password')}
            type="password"
            autoComplete="new-password"
            minLength={8}
            maxLength={256}
            required
            hint={t('reset.rule')}
            value={password}
            onValue={setPassword}
          />
          {action.error !== null && (
            <Problem error={action.error} texts={{ wrong_reset_token: t('reset.wrong_link') }} />
          )}
          <Button kind="primary" type="submit" busy={action.isBusy}>
            {t('reset.set')}
          </Button>
        </>
      )}
      <a href={isSet ? '/login' : '/login?forgot'}>{t(isSet ? 'reset.to_login' : 'reset.again')}</a>
    </form>
  )
}
