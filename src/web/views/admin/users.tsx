import { useState } from 'preact/hooks'
import { api } from '../../lib/api.ts'
import { formatBytes } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { query, setQuery } from '../../lib/router.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Heading } from '../../ui/heading.tsx'
import { Empty, Show, useLoad } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { AddUser } from './add-user.tsx'
import { DeleteUser } from './delete-user.tsx'
import { ManageUser } from './manage-user.tsx'
import type { ManagedUser } from './user.ts'

type Open =
  { readonly name: 'add' } | { readonly name: 'manage' | 'delete'; readonly user: ManagedUser }

export function Users() {
  const loaded = useLoad<readonly ManagedUser[]>(
    (signal) => api('GET', '/api/users', { signal }),
    [],
  )
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const all = loaded.data ?? []
  return (
    <>
      <div class="row spread">
        <Heading title={t('admin.users')} />
        <Button kind="primary" icon="add" onClick={() => setOpen({ name: 'add' })}>
          {t('users.add')}
        </Button>
      </div>
      <Show loaded={loaded}>
        {(users) => (
          <>
            <div class="narrow">
              <Field
                type="search"
                label={t('users.search')}
                value={query('q')}
                onValue={(q) => setQuery({ q })}
              />
            </div>
            <UserTable
              users={found(users, query('q'))}
              onManage={(user) => setOpen({ name: 'manage', user })}
            />
          </>
        )}
      </Show>
      {open?.name === 'add' && <AddUser onAdded={loaded.reload} onClose={close} />}
      {open?.name === 'manage' && (
        <ManageUser
          user={all.find(({ id }) => id === open.user.id) ?? open.user}
          all={all}
          onChanged={loaded.reload}
          onDelete={() => setOpen({ ...open, name: 'delete' })}
          onClose={close}
        />
      )}
      {open?.name === 'delete' && (
        <DeleteUser user={open.user} all={all} onDeleted={loaded.reload} onClose={close} />
      )}
    </>
  )
}

function found(users: readonly ManagedUser[], text: string): readonly ManagedUser[] {
  const wanted = text.trim().toLowerCase()
  return users.filter(({ name, email }) => `${name}\n${email}`.toLowerCase().includes(wanted))
}

function UserTable(props: {
  readonly users: readonly ManagedUser[]
  readonly onManage: (user: ManagedUser) => void
}) {
  if (props.users.length === 0) return <Empty text={t('admin.nothing_fits')} />
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t('users.user')}</th>
          <th scope="col" class="wide-only number">
            {t('users.space')}
          </th>
          <th scope="col" class="wide-only">
            {t('admin.created')}
          </th>
          <td />
        </tr>
      </thead>
      <tbody>
        {props.users.map((user) => (
          <tr key={user.id}>
            <th scope="row">
              <bdi>{user.name}</bdi> <Badges user={user} />
              <small class="faint">{user.email}</small>
            </th>
            <td class="wide-only number">{formatBytes(user.used_bytes)}</td>
            <td class="wide-only">
              <Time at={user.created_at} />
            </td>
            <td class="acts">
              <Button
                kind="quiet"
                label={t('users.manage_one', { name: user.name })}
                onClick={() => props.onManage(user)}
              >
                {t('users.manage')}
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Badges({ user }: { readonly user: ManagedUser }) {
  return (
    <>
      {user.is_admin && <span class="badge">{t('users.admin')}</span>}{' '}
      {user.disabled && <span class="badge danger">{t('users.disabled')}</span>}{' '}
      <span class={user.second_factor ? 'badge ok' : 'badge'}>
        {t(user.second_factor ? 'users.factor_on' : 'users.factor_off')}
      </span>
    </>
  )
}
