import { api, ApiError } from '../../lib/api.ts'
import { editable } from '../../lib/editable.ts'
import { t } from '../../lib/i18n.ts'
import { askPasskey, hasPasskeys } from '../../lib/passkey.ts'
import { me, ownsPasskey, readProof } from '../../lib/session.ts'
import { login, signInWithPasskey, verifySecondFactor } from '../../lib/sign-in.ts'
import { useSignal } from '../../lib/signals.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Problem, useAction } from '../../ui/state.tsx'

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
    if (!('requires2FA' in answer)) onDone()
    else if (answer.methods.includes('code')) setCode('')
    else if (await answerByPasskey(false)) onDone()
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
        after={<ByPasskey isConfirming={onCancel !== null} onDone={onDone} />}
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

/** The same with a passkey, for accounts that have one. */
function ByPasskey(props: { readonly isConfirming: boolean; readonly onDone: () => void }) {
  const action = useAction()
  const answer = async () => {
    if (await answerByPasskey(props.isConfirming)) props.onDone()
  }
  if (!ownsPasskey.value || !hasPasskeys()) return null
  return (
    <>
      <Problem error={action.error} />
      <Button isWide busy={action.isBusy} onClick={() => action.run(answer)}>
        {t('passkey.use')}
      </Button>
    </>
  )
}

/** False when the user cancels. */
async function answerByPasskey(isConfirming: boolean): Promise<boolean> {
  if (isConfirming) {
    const passkey = await askPasskey()
    if (passkey) await api('POST', '/api/auth/confirm', { body: { passkey } })
    return passkey !== null
  }
  const answer = await signInWithPasskey()
  // The page shows what belongs to one account.
  if (answer && answer.user.id !== me.value?.id) location.reload()
  return answer !== null
}
