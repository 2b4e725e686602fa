import { withChoice } from '../../lib/choice.ts'
import { editable, type Editable } from '../../lib/editable.ts'
import { t } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Time } from '../../ui/time.tsx'
import { saySpace, type ManagedUser } from './user.ts'

interface TableProps {
  readonly users: readonly ManagedUser[]
  readonly standardQuota: number
  /** Ids, including accounts outside of the search. */
  readonly chosen: Editable<ReadonlySet<number>>
  readonly onManage: (user: ManagedUser) => void
}

export function UserTable(props: TableProps) {
  const { users, chosen } = props
  /** Whether all of the accounts are selected. */
  const choice = (ids: readonly number[]) =>
    editable(
      ids.every((id) => chosen.value.has(id)),
      (isChosen) => (chosen.value = withChoice(chosen.value, ids, isChosen)),
    )
  return (
    <table>
      <thead>
        <tr>
          <td class="pick">
            <Pick label={t('bulk.all')} checked={choice(users.map(({ id }) => id))} />
          </td>
          <th scope="col">{t('users.user')}</th>
          <th scope="col" class="wide-only number">
            {t('users.space')}
          </th>
          <th scope="col" class="wide-only">
            {t('users.last_login')}
          </th>
          <td />
        </tr>
      </thead>
      <tbody>
        {users.map((user) => (
          <tr key={user.id}>
            <td class="pick">
              <Pick label={t('bulk.pick', { name: user.name })} checked={choice([user.id])} />
            </td>
            <Cells user={user} standardQuota={props.standardQuota} />
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

function Cells({ user, standardQuota }: { user: ManagedUser; standardQuota: number }) {
  return (
    <>
      <th scope="row">
        <bdi>{user.name}</bdi> <Badges user={user} />
        <small class="faint">{user.email}</small>
      </th>
      <td class="wide-only number">{saySpace(user, standardQuota)}</td>
      <td class="wide-only">
        {user.last_login_at ? <Time at={user.last_login_at} /> : t('users.never')}
      </td>
    </>
  )
}

function Pick(props: { readonly label: string; readonly checked: Editable<boolean> }) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={props.checked.value}
        onChange={(event) => (props.checked.value = event.currentTarget.checked)}
      />
      <span class="visually-hidden">{props.label}</span>
    </label>
  )
}

function Badges({ user }: { readonly user: ManagedUser }) {
  const state = user.disabled ? 'disabled' : user.invited_at ? 'invited' : 'active'
  const color = { disabled: 'danger', invited: '', active: 'ok' }[state]
  return (
    <>
      {user.is_admin && <span class="badge">{t('users.admin')}</span>}{' '}
      <span class={`badge ${color}`}>{t(`users.is.${state}`)}</span>{' '}
      {state !== 'invited' && (
        <span class={user.second_factor ? 'badge ok' : 'badge'}>
          {t(user.second_factor ? 'users.factor_on' : 'users.factor_off')}
        </span>
      )}
    </>
  )
}
