import { api } from '../../lib/api.ts'
import { goTo } from '../../lib/base-path.ts'
import { formatBytes } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { useSignal } from '../../lib/signals.ts'
import { Field, Select } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form.tsx'
import { toast } from '../../ui/toast.tsx'
import { isOwn, type ManagedUser } from './user.ts'
import type { Editable } from '../../lib/editable.ts'

/** Asks what to do with the account's property, and requires its name to be typed. */
export function DeleteUser(props: {
  readonly user: ManagedUser
  readonly all: readonly ManagedUser[]
  readonly onDeleted: () => void
  readonly onClose: () => void
}) {
  const { user, all, onClose } = props
  const { name } = user
  const heirs = heirsOf([user], all)
  const heir = useSignal(firstHeir(heirs))
  const typed = useSignal('')
  const remove = async () => {
    await api('DELETE', `/api/users/${user.id}${heir.value && `?transferTo=${heir.value}`}`)
    toast(t('manage.deleted', { name }))
    if (isOwn(user)) return goTo('/login')
    props.onDeleted()
    onClose()
  }
  return (
    <FormDialog
      title={t('users.delete_title', { name })}
      action={t('manage.delete')}
      kind="danger"
      disabled={typed.value.trim() !== name.trim()}
      onSubmit={remove}
      onClose={onClose}
    >
      <p>{t('users.delete_text', { name })}</p>
      <HeirField size={formatBytes(user.used_bytes)} heirs={heirs} heir={heir} />
      <Field label={t('users.delete_type', { name })} autoComplete="off" required value={typed} />
    </FormDialog>
  )
}

/** Accounts that can take over the property of deleted ones: active, and not just invited. */
export function heirsOf(doomed: readonly ManagedUser[], all: readonly ManagedUser[]) {
  return all.filter(
    (one) => !one.disabled && !one.invited_at && !doomed.some(({ id }) => id === one.id),
  )
}

/** The user's own account if possible; '' without any heir, so that everything is deleted. */
export function firstHeir(heirs: readonly ManagedUser[]): string {
  return String((heirs.find(isOwn) ?? heirs[0])?.id ?? '')
}

/** Asks what to do with the property of deleted accounts. */
export function HeirField(props: {
  readonly size: string
  readonly heirs: readonly ManagedUser[]
  readonly heir: Editable<string>
}) {
  return (
    <Select
      label={t('users.delete_what', { size: props.size })}
      value={props.heir}
      options={[
        ...props.heirs.map(
          ({ id, email }) => [String(id), t('users.delete_keep', { email })] as const,
        ),
        ['', t('users.delete_all')],
      ]}
    />
  )
}
