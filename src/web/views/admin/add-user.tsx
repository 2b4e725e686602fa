import { api } from '../../lib/api.ts'
import { part, type Editable } from '../../lib/editable.ts'
import { t } from '../../lib/i18n.ts'
import { generatePassword } from '../../lib/password.ts'
import { useSignal } from '../../lib/signals.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Check, Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { HandOver, type Link } from './hand-over.tsx'
import { QuotaField } from './quota-field.tsx'

interface AddProps {
  readonly standardQuota: number
  readonly onAdded: () => void
  readonly onClose: () => void
}

/** Invites a user, or makes an account with a password that is shown once. */
export function AddUser({ standardQuota, onAdded, onClose }: AddProps) {
  const person = useSignal({ name: '', email: '' })
  const isAdmin = useSignal(false)
  const quota = useSignal<number | null>(null)
  const setsPassword = useSignal(false)
  const password = useSignal('')
  const made = useSignal<Link | 'added' | null>(null)
  const sets = setsPassword.value
  const submit = async () => {
    const body = { ...person.value, is_admin: isAdmin.value, quota: quota.value }
    if (sets) await api('POST', '/api/users', { body: { ...body, password: password.value } })
    made.value = sets ? 'added' : await api<Link>('POST', '/api/users/invite', { body })
    onAdded()
  }
  const { name, email } = person.value
  if (made.value === 'added') {
    return <Added name={name} password={password.value} onClose={onClose} />
  }
  if (made.value) return <HandOver link={made.value} name={name} email={email} onClose={onClose} />
  return (
    <Dialog title={t('users.add')} onClose={onClose}>
      <Form
        action={t(sets ? 'users.add' : 'users.invite')}
        onSubmit={submit}
        more={<Button onClick={onClose}>{t('cancel')}</Button>}
      >
        <Person person={person} />
        <Check label={t('users.admin_label')} checked={isAdmin} />
        <QuotaField quota={quota} standard={standardQuota} />
        <Check
          label={t('users.set_password')}
          hint={t(sets ? 'users.add_mail' : 'users.invite_hint')}
          checked={setsPassword}
        />
        {sets && <Password password={password} />}
      </Form>
    </Dialog>
  )
}

interface Named {
  readonly name: string
  readonly email: string
}

/** Fields that every account has. */
export function Person({ person }: { readonly person: Editable<Named> }) {
  return (
    <>
      <Field label={t('name')} required maxLength={200} value={part(person, 'name')} />
      <Field
        label={t('email')}
        type="email"
        required
        maxLength={254}
        value={part(person, 'email')}
      />
    </>
  )
}

function Password({ password }: { readonly password: Editable<string> }) {
  return (
    <>
      <Field
        label={t('password')}
        type="password"
        autoComplete="new-password"
        required
        minLength={8}
        maxLength={256}
        value={password}
      />
      <div>
        <Button onClick={() => (password.value = generatePassword())}>{t('users.generate')}</Button>
      </div>
    </>
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
        <CopyField label={t('password')} value={password} action={t('copy')} />
        <div class="actions">
          <Button kind="primary" onClick={onClose}>
            {t('close')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
