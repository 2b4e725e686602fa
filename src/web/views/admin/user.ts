import { formatBytes } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { me, type User } from '../../lib/session.ts'

/** An account for administrators: the API's `ManagedUser`. */
export interface ManagedUser extends User {
  readonly disabled: boolean
  readonly second_factor: boolean
  readonly used_bytes: number
  /** Its own quota, 0 for no limit; null for the default. */
  readonly quota: number | null
  readonly last_login_at: string | null
  readonly invited_at: string | null
  /** While it waits for approval. */
  readonly requested_at: string | null
}

export interface Accounts {
  readonly users: readonly ManagedUser[]
  readonly standardQuota: number
}

export function isLastAdministrator(user: ManagedUser, all: readonly ManagedUser[]): boolean {
  const mayAct = (one: ManagedUser) => one.is_admin && !one.disabled && !one.invited_at
  return mayAct(user) && all.filter(mayAct).length === 1
}

export function isOwn({ id }: ManagedUser): boolean {
  return id === me.value?.id
}

/** `2.1 GB of 5 GB`, or only the used space without a limit. */
export function saySpace({ used_bytes: used, quota }: ManagedUser, standard: number): string {
  const all = quota ?? standard
  const size = formatBytes(used)
  return all === 0 ? size : t('users.space_of', { used: size, all: formatBytes(all) })
}
