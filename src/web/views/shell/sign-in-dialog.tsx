import { useState } from 'preact/hooks'
import { t } from '../../lib/i18n.ts'
import { me, readProof } from '../../lib/session.ts'
import { login, verifySecondFactor } from '../../lib/sign-in.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'

export function SignInDialog({ onDone }: { readonly onDone: () => void }) {
  const [password, setPassword] = useState('')
  const [code, setCode] = useState<string | null>(null)
  const email = me.value?.email ?? ''
  const submit = async () => {
    const answer =
      code === null
        ? await login(email, password)
        : await verifySecondFactor(email, password, readProof(code))
    if ('requires2FA' in answer) setCode('')
    else onDone()
  }
  return (
    <Dialog title={t('session.title')}>
      <Form action={t('session.sign_in')} onSubmit={submit}>
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
          autoFocus
          value={password}
          onValue={setPassword}
        />
        {code !== null && (
          <Field
            label={t('session.code')}
            autoComplete="one-time-code"
            maxLength={100}
            required
            autoFocus
            value={code}
            onValue={setCode}
          />
        )}
      </Form>
    </Dialog>
  )
}
