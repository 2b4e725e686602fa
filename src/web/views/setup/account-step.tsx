import { useEffect } from 'preact/hooks'
import { api, ApiError } from '../../lib/api.ts'
import { editable, part } from '../../lib/editable.ts'
import { t } from '../../lib/i18n.ts'
import { useSignal } from '../../lib/signals.ts'
import { EmailField, Field, NameField, NewPasswordField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Heading } from '../../ui/heading.tsx'
import { useToken } from './config.ts'

/** The account comes first, so that others can no longer take over the service. */
export function AccountStep({ onCreated }: { readonly onCreated: () => void }) {
  const given = new URLSearchParams(location.hash.slice(1)).get('token') ?? ''
  const token = useSignal(given)
  const asksToken = useSignal(given === '')
  const isOld = useSignal(false)
  const person = useSignal({ name: '', email: '', password: '' })
  const isRefused = (error: unknown) =>
    error instanceof ApiError && error.code === 'wrong_setup_token'
  // Before the form is filled in; other failures are told when it is sent.
  useEffect(() => {
    if (given === '') return
    api('POST', '/api/setup/verify', { body: { token: given } }).catch((error: unknown) => {
      asksToken.value = isOld.value = isRefused(error)
    })
  }, [])
  const create = async () => {
    const body = { token: token.value.trim(), ...person.value }
    try {
      const answer = await api<{ token: string }>('POST', '/api/setup', { body })
      useToken(answer.token)
    } catch (error) {
      if (isRefused(error)) asksToken.value = true
      throw error
    }
    onCreated()
  }
  return (
    <>
      <Heading title={t('setup.account_title')} />
      <p>{t('setup.account_text')}</p>
      <Form
        action={t('setup.account_action')}
        onSubmit={create}
        texts={{
          wrong_setup_token: t('setup.wrong_token'),
          already_set_up: t('setup.taken'),
        }}
      >
        {asksToken.value && (
          <>
            {given === '' && <p class="notice">{t('setup.no_token')}</p>}
            <Field
              label={t('setup.token')}
              autoComplete="off"
              hint={t('setup.token_hint')}
              problem={isOld.value ? t('setup.wrong_token') : undefined}
              autoFocus={isOld.value}
              maxLength={200}
              required
              value={editable(token.value, (typed) => {
                token.value = typed
                isOld.value = false
              })}
            />
          </>
        )}
        <NameField autoComplete="name" value={part(person, 'name')} />
        <EmailField autoComplete="username" value={part(person, 'email')} />
        <NewPasswordField
          hint={t('setup.password_hint')}
          minLength={8}
          required
          value={part(person, 'password')}
        />
      </Form>
    </>
  )
}
