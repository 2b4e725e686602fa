import { useState } from 'preact/hooks'
import { api } from '../../lib/api.ts'
import { t } from '../../lib/i18n.ts'
import { generatePassword } from '../../lib/password.ts'
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
  const [person, setPerson] = useState({ name: '', email: '' })
  const [isAdmin, setAdmin] = useState(false)
  const [quota, setQuota] = useState<number | null>(null)
  const [sets, setSets] = useState(false)
  const [password, setPassword] = useState('')
  const [made, setMade] = useState<Link | 'added' | null>(null)
  const submit = async () => {
    const body = { ...person, is_admin: isAdmin, quota }
    if (sets) await api('POST', '/api/users', { body: { ...body, password } })
    setMade(sets ? 'added' : await api<Link>('POST', '/api/users/invite', { body }))
    onAdded()
  }
  const { name, email } = person
  if (made === 'added') return <Added name={name} password={password} onClose={onClose} />
  if (made) return <HandOver link={made} name={name} email={email} onClose={onClose} />
  return (
    <Dialog title={t('users.add')} onClose={onClose}>
      <Form
        action={t(sets ? 'users.add' : 'users.invite')}
        onSubmit={submit}
        more={<Button onClick={onClose}>{t('cancel')}</Button>}
      >
        <Person {...person} onPerson={setPerson} />
        <Check label={t('users.admin_label')} checked={isAdmin} onChecked={setAdmin} />
        <QuotaField quota={quota} standard={standardQuota} onQuota={setQuota} />
        <Check
          label={t('users.set_password')}
          hint={t(sets ? 'users.add_mail' : 'users.invite_hint')}
          checked={sets}
          onChecked={setSets}
        />
        {sets && <Password password={password} onPassword={setPassword} />}
      </Form>
    </Dialog>
  )
}

interface Named {
  readonly name: string
  readonly email: string
}

/** Fields that every account has. */
export function Person(props: {
  readonly name: string
  readonly email: string
  readonly onPerson: (change: (old: Named) => Named) => void
}) {
  const { name, email, onPerson } = props
  return (
    <>
      <Field
        label={t('name')}
        required
        maxLength={200}
        value={name}
        onValue={(value) => onPerson((old) => ({ ...old, name: value }))}
      />
      <Field
        label={t('email')}
        type="email"
        required
        maxLength={254}
        value={email}
        onValue={(value) => onPerson((old) => ({ ...old, email: value }))}
      />
    </>
  )
}

function Password(props: { password: string; onPassword: (password: string) => void }) {
  return (
    <>
      <Field
        label={t('password')}
        type="password"
        autoComplete="new-password"
        required
        minLength={8}
        maxLength={256}
        value={props.password}
        onValue={props.onPassword}
      />
      <div>
        <Button onClick={() => props.onPassword(generatePassword())}>{t('users.generate')}</Button>
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
