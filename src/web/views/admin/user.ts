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

const letters = 'abcdefghijkmnpqrstuvwxyz23456789'

/** Twenty of 32 signs that nobody confuses, 100 bits, in groups that can be read out. */
export function generatePassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(20))
  const signs = [...bytes].map((byte) => letters[byte % letters.length]).join('')
  return signs.match(/.{5}/g)!.join('-')
}
