import { api } from '../../lib/api.ts'
import { goTo } from '../../lib/base-path.ts'
import { formatBytes } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { useSignal } from '../../lib/signals.ts'
import { Field, Select } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form.tsx'
import { toast } from '../../ui/toast.tsx'
import { isOwn, type ManagedUser } from './user.ts'

/** Asks what to do with the account's property, and requires its name to be typed. */
export function DeleteUser(props: {
  readonly user: ManagedUser
  readonly all: readonly ManagedUser[]
  readonly onDeleted: () => void
  readonly onClose: () => void
}) {
  const { user, all, onClose } = props
  const { name } = user
  const heir = useHeir([user], all)
  const typed = useSignal('')
  const remove = async () => {
    await api('DELETE', `/api/users/${user.id}${heir.query}`)
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
      {heir.field}
      <Field label={t('users.delete_type', { name })} autoComplete="off" required value={typed} />
    </FormDialog>
  )
}

/** Asks what to do with the property of deleted accounts. */
export function useHeir(doomed: readonly ManagedUser[], all: readonly ManagedUser[]) {
  // Active accounts, and not just invited ones.
  const heirs = all.filter(
    (one) => !one.disabled && !one.invited_at && !doomed.some(({ id }) => id === one.id),
  )
  // The user's own account if possible; '' without any, so that everything is deleted.
  const heir = useSignal(String((heirs.find(isOwn) ?? heirs[0])?.id ?? ''))
  const size = formatBytes(doomed.reduce((sum, { used_bytes: used }) => sum + used, 0))
  const options = heirs.map(
    ({ id, email }) => [String(id), t('users.delete_keep', { email })] as const,
  )
  return {
    query: heir.value && `?transferTo=${heir.value}`,
    field: (
      <Select
        label={t('users.delete_what', { size })}
        value={heir}
        options={[...options, ['', t('users.delete_all')]]}
      />
    ),
  }
}
