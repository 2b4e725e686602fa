import { api } from '../../lib/api.ts'
import { part, type Editable, editable } from '../../lib/editable.ts'
import { t } from '../../lib/i18n.ts'
import { generatePassword } from '../../lib/password.ts'
import { useSignal } from '../../lib/signals.ts'
import { Button } from '../../ui/button.tsx'
import { CopyDialog } from '../../ui/copy-button.tsx'
import { Check, EmailField, NameField, NewPasswordField, Select } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form.tsx'
import { formatBytes, formatEnd } from '../../lib/format.ts'
import { BytesInput } from './setting-fields.tsx'

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
    const label = t('common.password')
    const texts = { title: t('users.created', { name }), text: t('users.add_mail'), label }
    return <CopyDialog {...texts} value={password.value} onClose={onClose} />
  }
  if (made.value) return <HandOver link={made.value} name={name} email={email} onClose={onClose} />
  return (
    <FormDialog
      title={t('users.add')}
      action={t(sets ? 'users.add' : 'users.invite')}
      onSubmit={submit}
      onClose={onClose}
    >
      <Person person={person} />
      <Check label={t('users.admin_label')} checked={isAdmin} />
      <QuotaField quota={quota} standard={standardQuota} />
      <Check
        label={t('users.set_password')}
        hint={t(sets ? 'users.add_mail' : 'users.invite_hint')}
        checked={setsPassword}
      />
      {sets && (
        <>
          <NewPasswordField required minLength={8} value={password} />
          <div>
            <Button onClick={() => (password.value = generatePassword())}>
              {t('users.generate')}
            </Button>
          </div>
        </>
      )}
    </FormDialog>
  )
}

interface Named {
  readonly name: string
  readonly email: string
}

export function Person({ person }: { readonly person: Editable<Named> }) {
  return (
    <>
      <NameField value={part(person, 'name')} />
      <EmailField value={part(person, 'email')} />
    </>
  )
}

/** A link that sets a password: the API's `Invitation` and `ResetLink`. */
export interface Link {
  /** Id of the account; only in invitations. */
  readonly id?: number
  readonly url: string
  readonly expires_at: string
  readonly mailed: boolean
}

/** A link to copy, and how else it reaches its user. */
export function HandOver(props: Named & { readonly link: Link; readonly onClose: () => void }) {
  const { link, name, email, onClose } = props
  const isInvitation = link.id !== undefined
  return (
    <CopyDialog
      title={t(isInvitation ? 'users.invited_title' : 'users.link_title', { name })}
      text={t(link.mailed ? 'users.mailed' : 'users.hand_over', { email })}
      label={t('ready.link')}
      value={link.url}
      hint={t('users.link_ends', { end: formatEnd(link.expires_at) })}
      onClose={onClose}
    />
  )
}

/** The account's quota: the default, or its own. */
export function QuotaField(props: {
  /** Null for the default. */
  readonly quota: Editable<number | null>
  readonly standard: number
  readonly hint?: string
}) {
  const { quota, standard, hint } = props
  const own = quota.value
  const set = (bytes: number | null) => (quota.value = bytes)
  const size = standard === 0 ? t('settings.unlimited') : formatBytes(standard)
  return (
    <>
      <Select
        label={t('users.space')}
        hint={hint}
        value={editable(own === null ? '' : 'own', (kind) => set(kind === '' ? null : standard))}
        options={[
          ['', t('users.quota_standard', { size })],
          ['own', t('users.quota_own')],
        ]}
      />
      {own !== null && <BytesInput label={t('users.quota_own')} value={editable(own, set)} />}
    </>
  )
}
