/** An account as administrators see it: `ManagedUser` of the API. */
export interface ManagedUser {
  readonly id: number
  readonly email: string
  readonly name: string
  readonly is_admin: boolean
  readonly created_at: string
  readonly disabled: boolean
  readonly second_factor: boolean
  readonly used_bytes: number
}

/** Whether nobody else could administer the service without this account. */
export function isLastAdministrator(user: ManagedUser, all: readonly ManagedUser[]): boolean {
  const mayAct = (one: ManagedUser) => one.is_admin && !one.disabled
  return mayAct(user) && all.filter(mayAct).length === 1
}
