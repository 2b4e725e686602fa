import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { onSessionLost } from '../../lib/api.ts'
import { t } from '../../lib/i18n.ts'
import { login, me, verifySecondFactor } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Problem, useAction } from '../../ui/state.tsx'

let waiting: Promise<void> | null = null
const resume = signal<(() => void) | null>(null)

/** From now on a login that ends asks for another one, over the page: nothing is left or lost. */
export function askWhenSessionEnds(): void {
  onSessionLost(() => {
    waiting ??= new Promise<void>((resolve) => {
      resume.value = () => {
        waiting = null
        resume.value = null
        resolve()
      }
    })
    return waiting
  })
}

export function SignInAgain() {
  return resume.value && <SignInDialog onDone={resume.value} />
}

function SignInDialog({ onDone }: { readonly onDone: () => void }) {
  const [password, setPassword] = useState('')
  const [code, setCode] = useState<string | null>(null)
  const action = useAction()
  const email = me.value?.email ?? ''
  const submit = async () => {
    const answer =
      code === null
        ? await login(email, password)
        : await verifySecondFactor(email, password, { code })
    if ('requires2FA' in answer) setCode('')
    else onDone()
  }
  return (
    <Dialog title={t('session.title')}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void action.run(submit)
        }}
      >
        <p>{t('session.text')}</p>
        <Field
          label={t('email')}
          type="email"
          autoComplete="username"
          readOnly
          value={email}
          onValue={() => {}}
        />
        <Field
          label={t('password')}
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onValue={setPassword}
        />
        {code !== null && (
          <Field
            label={t('session.code')}
            inputMode="numeric"
            autoComplete="one-time-code"
            pattern="[0-9]{6}"
            required
            autoFocus
            value={code}
            onValue={setCode}
          />
        )}
        {action.error !== null && <Problem error={action.error} />}
        <div class="actions">
          <Button kind="primary" type="submit" busy={action.isBusy}>
            {t('session.sign_in')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
