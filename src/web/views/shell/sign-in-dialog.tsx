import { useEffect } from 'preact/hooks'
import { api } from '../../lib/api.ts'
import { editable } from '../../lib/editable.ts'
import { t } from '../../lib/i18n.ts'
import { proxyUser } from '../../lib/page-data.ts'
import { confirmByPasskey, hasPasskeys } from '../../lib/passkey.ts'
import { factors, me, readProof, signOut, type Factors } from '../../lib/session.ts'
import { login, signInWithPasskey, verifySecondFactor } from '../../lib/sign-in.ts'
import { place } from '../../lib/router.ts'
import { useSignal } from '../../lib/signals.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { CodeField, OwnEmail, PasswordField } from '../../ui/field.tsx'
import { Form, FormDialog } from '../../ui/form.tsx'
import { Problem, useAction } from '../../ui/state.tsx'

interface DialogProps {
  readonly onDone: () => void
  readonly onCancel: (() => void) | null
  readonly needsOne: boolean
}

/** Signs in again, or confirms the signed-in user, in which case it can be closed. */
export function SignInDialog({ onDone, onCancel, needsOne }: DialogProps) {
  return onCancel ? (
    <ConfirmDialog onDone={onDone} onCancel={onCancel} needsOne={needsOne} />
  ) : (
    <SignIn onDone={onDone} />
  )
}

/** Offers what the account has. */
function ConfirmDialog(props: DialogProps & { readonly onCancel: () => void }) {
  const { onDone, onCancel, needsOne } = props
  const email = me.value?.email ?? ''
  const password = useSignal('')
  const code = useSignal('')
  const { enabled, hasPasskey, needsPasskey } = factors.value
  const hasPassword = factors.value.hasPassword && (needsOne || !needsPasskey)
  const isEither = needsOne && hasPassword && enabled
  useEffect(() => {
    // Another page may have changed them.
    void api<Factors>('GET', '/api/auth/2fa/status').then(
      (found) => (factors.value = found),
      () => {},
    )
  }, [])
  const confirm = async () => {
    const body = {
      ...(password.value && { currentPassword: password.value }),
      ...(code.value && readProof(code.value)),
    }
    await api('POST', '/api/auth/confirm', { body })
    onDone()
  }
  const canType = hasPassword || enabled
  const isAlone = !canType && !hasPasskey
  return (
    <FormDialog
      title={t(isAlone ? 'session.title' : 'confirm.title')}
      action={t(isAlone ? 'session.sign_in' : canType ? 'confirm.action' : 'passkey.use')}
      onSubmit={isAlone ? signInAgain : canType ? confirm : byPasskey('confirm', onDone)}
      after={canType && <ByPasskey purpose="confirm" onDone={onDone} />}
      onClose={onCancel}
    >
      <p>
        {t('confirm.text')} {isEither && t('confirm.either')}
      </p>
      {hasPassword && <OwnEmail email={email} />}
      {hasPassword && <PasswordField autoFocus required={!isEither} value={password} />}
      {enabled && <CodeField autoFocus={!hasPassword} required={!isEither} value={code} />}
    </FormDialog>
  )
}

function SignIn({ onDone }: { readonly onDone: () => void }) {
  const password = useSignal('')
  const code = useSignal<string | null>(null)
  const setCode = (typed: string) => (code.value = typed)
  const email = me.value?.email ?? ''
  const signIn = async () => {
    const answer =
      code.value === null
        ? await login(email, password.value)
        : await verifySecondFactor(email, password.value, readProof(code.value))
    if (!('requires2FA' in answer)) onDone()
    else if (answer.methods.includes('code')) setCode('')
    else await byPasskey('auth', onDone)()
  }
  return (
    <Dialog title={t('session.title')}>
      <Form
        action={t('session.sign_in')}
        onSubmit={signIn}
        after={
          <>
            <ByPasskey purpose="auth" onDone={onDone} />
            <ButtonLink kind="quiet" href={`/login?next=${wanted()}`}>
              {t('session.other_way')}
            </ButtonLink>
          </>
        }
      >
        <p>{t('session.text')}</p>
        <OwnEmail email={email} />
        <PasswordField autoFocus required value={password} />
        {code.value !== null && <CodeField autoFocus value={editable(code.value, setCode)} />}
      </Form>
    </Dialog>
  )
}

/** The provider asks again who the user is, although its own session goes on. */
function signInAgain(): Promise<void> {
  return signOut(proxyUser() === null ? `/login?again&next=${wanted()}` : null)
}

/** The page to return to, for an address. */
function wanted(): string {
  const { path, search } = place.value
  return encodeURIComponent(path + search)
}

interface PasskeyProps {
  readonly purpose: 'auth' | 'confirm'
  readonly onDone: () => void
}

/** The same with a passkey, for accounts that have one. */
function ByPasskey({ purpose, onDone }: PasskeyProps) {
  const action = useAction()
  if (!factors.value.hasPasskey || !hasPasskeys()) return null
  return (
    <>
      <Problem error={action.error} />
      <Button isWide busy={action.isBusy} onClick={() => action.run(byPasskey(purpose, onDone))}>
        {t('passkey.use')}
      </Button>
    </>
  )
}

/** Does nothing when the user cancels. */
function byPasskey(purpose: 'auth' | 'confirm', onDone: () => void) {
  return async () => {
    if (purpose === 'confirm') {
      if (await confirmByPasskey()) onDone()
      return
    }
    const answer = await signInWithPasskey()
    // The page shows what belongs to one account.
    if (answer && answer.user.id !== me.value?.id) location.reload()
    else if (answer) onDone()
  }
}
