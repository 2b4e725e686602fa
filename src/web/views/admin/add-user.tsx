import { useState } from 'preact/hooks'
import { api } from '../../lib/api.ts'
import { t } from '../../lib/i18n.ts'
import { generatePassword } from '../../lib/password.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Check, Field } from '../../ui/field.tsx'
import { Problem, useAction } from '../../ui/state.tsx'

/** Asks for a new account; afterwards the password can be taken along, once. */
export function AddUser(props: { readonly onAdded: () => void; readonly onClose: () => void }) {
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [isAdmin, setAdmin] = useState(false)
  const [isDone, setDone] = useState(false)
  const action = useAction()
  const submit = async () => {
    await api('POST', '/api/users', { body: { name, email, password, is_admin: isAdmin } })
    setDone(true)
    props.onAdded()
  }
  if (isDone) return <Added name={name} password={password} onClose={props.onClose} />
  return (
    <Dialog title={t('users.add')} onClose={props.onClose}>
      <form class="stack" onSubmit={action.onSubmit(submit)}>
        <p class="hint">{t('users.add_mail')}</p>
        <Field label={t('name')} required maxLength={200} value={name} onValue={setName} />
        <Field
          label={t('email')}
          type="email"
          required
          maxLength={254}
          value={email}
          onValue={setEmail}
        />
        <Field
          label={t('password')}
          type="password"
          autoComplete="new-password"
          required
          minLength={8}
          maxLength={256}
          value={password}
          onValue={setPassword}
        />
        <Generate onPassword={setPassword} />
        <Check label={t('users.admin_label')} checked={isAdmin} onChecked={setAdmin} />
        {action.error !== null && <Problem error={action.error} />}
        <div class="actions">
          <Button onClick={props.onClose}>{t('cancel')}</Button>
          <Button kind="primary" type="submit" busy={action.isBusy}>
            {t('users.add')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function Generate({ onPassword }: { readonly onPassword: (password: string) => void }) {
  return (
    <div>
      <Button onClick={() => onPassword(generatePassword())}>{t('users.generate')}</Button>
    </div>
  )
}

function Added(props: {
  readonly name: string
  readonly password: string
  readonly onClose: () => void
}) {
  const { name, password, onClose } = props
  return (
    <Dialog title={t('users.created', { name })} onClose={onClose}>
      <div class="stack">
        <p>{t('users.add_mail')}</p>
        <CopyField label={t('users.handed')} value={password} action={t('copy')} />
        <div class="actions">
          <Button kind="primary" onClick={onClose}>
            {t('close')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
