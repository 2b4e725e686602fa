import { presentListedUser } from '../../accounts/users/schemas.ts'
import type { ListedUserRow } from '../../accounts/users/sql.ts'
import type { Report } from '../command.ts'
import { withApp } from '../open-app.ts'
import { day, formatTable, outputWidth, type Column } from '../table.ts'

const columns: Column<ListedUserRow>[] = [
  { title: 'ID', text: (user) => String(user.id) },
  { title: 'EMAIL', text: (user) => user.email, isFlexible: true },
  { title: 'NAME', text: (user) => user.name, isFlexible: true },
  { title: 'ROLE', text: (user) => (user.isAdmin ? 'admin' : 'user') },
  { title: 'STATE', text: stateOf },
  { title: 'LAST SIGN-IN', text: (user) => (user.lastLoginAt ? day(user.lastLoginAt) : '-') },
  { title: 'CREATED', text: (user) => day(user.createdAt) },
]

function stateOf({ disabledAt, invitedAt }: ListedUserRow): string {
  if (disabledAt) return 'disabled'
  return invitedAt ? 'invited' : 'active'
}

export function listUsers(): Promise<Report> {
  return withApp({ bytes: false }, async ({ services }) => {
    const users = await services.users.list()
    return {
      json: users.map(presentListedUser),
      text: formatTable(users, columns, outputWidth()),
    }
  })
}
