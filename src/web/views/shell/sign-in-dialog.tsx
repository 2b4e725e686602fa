import { useSignal } from '@preact/signals'
import { api, ApiError } from '../../lib/api.ts'
import { editable } from '../../lib/editable.ts'
import { t } from '../../lib/i18n.ts'
import { me, readProof } from '../../lib/session.ts'
import { login, verifySecondFactor } from '../../lib/sign-in.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'

/** Signs in again, or confirms the signed-in user, in which case it can be closed. */
export function SignInDialog(props: {
  readonly onDone: () => void
  readonly onCancel: (() => void) | null
}) {
  const { onDone, onCancel } = props
  const password = useSignal('')
  const code = useSignal<string | null>(null)
  const setCode = (typed: string) => (code.value = typed)
  const email = me.value?.email ?? ''
  const confirm = async () => {
    try {
      const proof = code.value ? readProof(code.value) : {}
      const body = { currentPassword: password.value, ...proof }
      await api('POST', '/api/auth/confirm', { body })
      onDone()
    } catch (error) {
      if (!(error instanceof ApiError) || error.details['field'] !== 'code') throw error
      setCode('')
    }
  }
  const signIn = async () => {
    const answer =
      code.value === null
        ? await login(email, password.value)
        : await verifySecondFactor(email, password.value, readProof(code.value))
    if ('requires2FA' in answer) setCode('')
    else onDone()
  }
  return (
    <Dialog
      title={t(onCancel ? 'confirm.title' : 'session.title')}
      {...(onCancel && { onClose: onCancel })}
    >
      <Form
        action={t(onCancel ? 'confirm.action' : 'session.sign_in')}
        onSubmit={onCancel ? confirm : signIn}
        more={onCancel && <Button onClick={onCancel}>{t('cancel')}</Button>}
      >
        <p>{t(onCancel ? 'confirm.text' : 'session.text')}</p>
        <Field
          label={t('email')}
          type="email"
          autoComplete="username"
          readOnly
          value={{ value: email }}
        />
        <Field
          label={t('password')}
          type="password"
          autoComplete="current-password"
          required
          autoFocus
          value={password}
        />
        {code.value !== null && (
          <Field
            label={t('session.code')}
            autoComplete="one-time-code"
            maxLength={100}
            required
            autoFocus
            value={editable(code.value, setCode)}
          />
        )}
      </Form>
    </Dialog>
  )
}
