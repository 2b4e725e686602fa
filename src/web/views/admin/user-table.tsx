import { withChoice } from '../../lib/choice.ts'
import { t } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Time } from '../../ui/time.tsx'
import { saySpace, type ManagedUser } from './user.ts'

interface TableProps {
  readonly users: readonly ManagedUser[]
  readonly standardQuota: number
  /** Ids, including accounts outside of the search. */
  readonly chosen: ReadonlySet<number>
  readonly onChosen: (chosen: ReadonlySet<number>) => void
  readonly onManage: (user: ManagedUser) => void
}

export function UserTable(props: TableProps) {
  const { users, chosen, onChosen } = props
  const choose = (ids: readonly number[], isChosen: boolean) =>
    onChosen(withChoice(chosen, ids, isChosen))
  return (
    <table>
      <thead>
        <tr>
          <td class="pick">
            <Pick
              label={t('bulk.all')}
              checked={users.every(({ id }) => chosen.has(id))}
              onChecked={(isChosen) =>
                choose(
                  users.map(({ id }) => id),
                  isChosen,
                )
              }
            />
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
              <Pick
                label={t('bulk.pick', { name: user.name })}
                checked={chosen.has(user.id)}
                onChecked={(isChosen) => choose([user.id], isChosen)}
              />
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

function Pick(props: {
  readonly label: string
  readonly checked: boolean
  readonly onChecked: (checked: boolean) => void
}) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={props.checked}
        onChange={(event) => props.onChecked(event.currentTarget.checked)}
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
      <span class={`badge ${color}`}>{t(`users.${state}`)}</span>{' '}
      {state !== 'invited' && (
        <span class={user.second_factor ? 'badge ok' : 'badge'}>
          {t(user.second_factor ? 'users.factor_on' : 'users.factor_off')}
        </span>
      )}
    </>
  )
}
