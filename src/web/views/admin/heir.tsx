import { t } from '../../lib/i18n.ts'
import { Select } from '../../ui/field.tsx'
import { isOwn, type ManagedUser } from './user.ts'

/** Who may get what deleted accounts own: everybody else who can use it, so no invited ones. */
export function heirsOf(
  doomed: readonly ManagedUser[],
  all: readonly ManagedUser[],
): readonly ManagedUser[] {
  return all.filter((one) => !one.disabled && !one.invited_at && !doomed.includes(one))
}

/** Whoever asks comes first; '' when there is nobody, and all is deleted. */
export function firstHeir(heirs: readonly ManagedUser[]): string {
  return String((heirs.find(isOwn) ?? heirs[0])?.id ?? '')
}

/** Asks what becomes of what accounts own that are deleted. */
export function HeirField(props: {
  readonly size: string
  readonly heirs: readonly ManagedUser[]
  readonly heir: string
  readonly onHeir: (heir: string) => void
}) {
  return (
    <Select
      label={t('users.delete_what', { size: props.size })}
      value={props.heir}
      onValue={props.onHeir}
      options={[
        ...props.heirs.map(
          ({ id, email }) => [String(id), t('users.delete_keep', { email })] as const,
        ),
        ['', t('users.delete_all')],
      ]}
    />
  )
}
