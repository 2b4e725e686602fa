import * as icons from '../../ui/icons.ts'
import { api } from '../../lib/api.ts'
import { editable, type Editable } from '../../lib/editable.ts'
import { t } from '../../lib/i18n.ts'
import { hasWords } from '../../lib/search.ts'
import { query, setQuery } from '../../lib/router.ts'
import { useSignal, type Signal } from '../../lib/signals.ts'
import { Button } from '../../ui/button.tsx'
import { SearchField } from '../../ui/field.tsx'
import { HeadingRow } from '../../ui/heading.tsx'
import { Empty, Show, useLoad } from '../../ui/state.tsx'
import { AddUser } from './add-user.tsx'
import { Bulk, type BulkAct } from './bulk.tsx'
import { DeleteUser } from './delete-user.tsx'
import { ManageUser } from './manage-user.tsx'
import { Waiting, type WaitingPerson } from './waiting.tsx'
import { type Accounts, type ManagedUser, saySpace } from './user.ts'
import type { ComponentChildren } from 'preact'
import { withChoice } from '../../lib/choice.ts'
import { Name } from '../../ui/name.tsx'
import { Listing, ListRow, noHead } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'

type All = readonly ManagedUser[]
type Open =
  | { readonly name: 'add' }
  /** The accounts at the time of opening: its rows stay when the lists change. */
  | { readonly name: BulkAct; readonly chosen: All; readonly all: All }
  | { readonly name: 'manage' | 'remove'; readonly user: ManagedUser }

export function Users() {
  const loaded = useLoad(loadAccounts, [])
  const open = useSignal<Open | null>(null)
  const chosen = useSignal<ReadonlySet<number>>(new Set())
  return (
    <>
      <HeadingRow title={t('admin.tab.users')}>
        <Button kind="primary" icon={icons.add} onClick={() => (open.value = { name: 'add' })}>
          {t('users.add')}
        </Button>
      </HeadingRow>
      <Show loaded={loaded}>
        {({ users, standardQuota }) => {
          const shown = users.filter(({ name, email }) => hasWords(`${name}\n${email}`, query('q')))
          // Hidden accounts are not acted on.
          const picked = shown.filter(({ id }) => chosen.value.has(id))
          const waiting = users.filter(isWaiting).toReversed()
          return (
            <>
              <Waiting people={waiting} count={waiting.length} onAnswered={loaded.reload} />
              <search class="list-filters">
                <SearchField
                  label={t('users.search')}
                  value={editable(query('q'), (q) => setQuery({ q }))}
                />
              </search>
              {shown.length === 0 ? (
                <Empty text={t('manage.none_found')} />
              ) : (
                <UserTable
                  users={shown}
                  {...{ standardQuota, chosen }}
                  onManage={(user) => (open.value = { name: 'manage', user })}
                />
              )}
              {picked.length > 0 && (
                <BulkBar
                  count={picked.length}
                  onAct={(name) => (open.value = { name, chosen: picked, all: users })}
                  onClear={() => (chosen.value = new Set())}
                />
              )}
              <Dialogs accounts={{ users, standardQuota }} open={open} onChanged={loaded.reload} />
            </>
          )
        }}
      </Show>
    </>
  )
}

async function loadAccounts(signal: AbortSignal): Promise<Accounts> {
  const [users, { userQuota }] = await Promise.all([
    api<readonly ManagedUser[]>('GET', '/api/users', { signal }),
    api<{ userQuota: number }>('GET', '/api/config', { signal }),
  ])
  return { users, standardQuota: userQuota }
}

/** Newest first in the list. */
function isWaiting(user: ManagedUser): user is ManagedUser & WaitingPerson {
  return user.requested_at !== null
}

function BulkBar(props: {
  readonly count: number
  readonly onAct: (act: BulkAct) => void
  readonly onClear: () => void
}) {
  return (
    <div class="save-bar changed">
      <span role="status">{t('bulk.chosen', { n: props.count })}</span>
      <Button onClick={props.onClear}>{t('select.none')}</Button>
      <Button onClick={() => props.onAct('disable')}>{t('users.disable')}</Button>
      <Button onClick={() => props.onAct('enable')}>{t('users.enable')}</Button>
      <Button kind="danger" icon={icons.trash} onClick={() => props.onAct('delete')}>
        {t('manage.delete')}
      </Button>
    </div>
  )
}

function Dialogs(props: {
  readonly accounts: Accounts
  readonly open: Signal<Open | null>
  readonly onChanged: () => void
}) {
  const { accounts, open, onChanged } = props
  const { users, standardQuota } = accounts
  const onClose = () => (open.value = null)
  const shown = open.value
  if (!shown) return null
  switch (shown.name) {
    case 'add':
      return <AddUser standardQuota={standardQuota} onAdded={onChanged} onClose={onClose} />
    case 'manage':
      return (
        <ManageUser
          user={users.find(({ id }) => id === shown.user.id) ?? shown.user}
          accounts={accounts}
          onChanged={onChanged}
          onDelete={() => (open.value = { ...shown, name: 'remove' })}
          onClose={onClose}
        />
      )
    case 'remove':
      return <DeleteUser user={shown.user} all={users} onDeleted={onChanged} onClose={onClose} />
    default:
      return <Bulk {...{ ...shown, act: shown.name, onChanged, onClose }} />
  }
}

function UserTable(props: {
  readonly users: All
  readonly standardQuota: number
  /** Ids, including accounts outside of the search. */
  readonly chosen: Editable<ReadonlySet<number>>
  readonly onManage: (user: ManagedUser) => void
}) {
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
