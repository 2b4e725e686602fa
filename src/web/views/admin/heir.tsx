import type { Editable } from '../../lib/editable.ts'
import { t } from '../../lib/i18n.ts'
import { Select } from '../../ui/field.tsx'
import { isOwn, type ManagedUser } from './user.ts'

/** Accounts that can take over the property of deleted ones: active, and not just invited. */
export function heirsOf(
  doomed: readonly ManagedUser[],
  all: readonly ManagedUser[],
): readonly ManagedUser[] {
  return all.filter((one) => !one.disabled && !one.invited_at && !doomed.includes(one))
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
