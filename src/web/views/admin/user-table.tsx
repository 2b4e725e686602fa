import type { ComponentChildren } from 'preact'
import { withChoice } from '../../lib/choice.ts'
import { editable, type Editable } from '../../lib/editable.ts'
import { t } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Name } from '../../ui/name.tsx'
import { Listing, ListRow, noHead } from '../../ui/table.tsx'
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
    <Listing
      heads={[
        <td role="cell" class="pick">
          <Pick label={t('bulk.all')} checked={choice(users.map(({ id }) => id))}>
            <span class="narrow-head">{t('bulk.all')}</span>
          </Pick>
        </td>,
        t('nav.account'),
        t('users.space'),
        t('users.last_login'),
        noHead,
      ]}
    >
      {users.map((user) => (
        <ListRow
          key={user.id}
          lead={<Pick label={t('bulk.pick', { name: user.name })} checked={choice([user.id])} />}
          cells={[
            saySpace(user, props.standardQuota),
            <>
              <span class="narrow-head">{t('users.last_login')}: </span>
              {user.last_login_at ? <Time at={user.last_login_at} /> : t('users.never')}
            </>,
          ]}
          actions={
            <Button
              kind="quiet"
              label={t('users.manage_one', { name: user.name })}
              onClick={() => props.onManage(user)}
            >
              {t('users.manage')}
            </Button>
          }
        >
          <bdi>{user.name}</bdi> <Badges user={user} />
          <small class="faint">
            <Name of={user.email} />
          </small>
        </ListRow>
      ))}
    </Listing>
  )
}

function Pick(props: {
  readonly label: string
  readonly checked: Editable<boolean>
  readonly children?: ComponentChildren
}) {
  return (
    <label class="check">
      <input
        type="checkbox"
        aria-label={props.label}
        checked={props.checked.value}
        onChange={(event) => (props.checked.value = event.currentTarget.checked)}
      />
      {props.children}
    </label>
  )
}

/** What differs from an account that is used with its password alone. */
function Badges({ user }: { readonly user: ManagedUser }) {
  return (
    <>
      {user.is_admin && <span class="badge">{t('users.admin')}</span>}{' '}
      {user.requested_at && <span class="badge warn">{t('users.is_waiting')}</span>}{' '}
      {user.disabled && !user.requested_at && (
        <span class="badge danger">{t('users.is_disabled')}</span>
      )}{' '}
      {user.invited_at && <span class="badge warn">{t('users.is_invited')}</span>}{' '}
      {user.second_factor && <span class="badge ok">{t('users.factor_on')}</span>}
    </>
  )
}
