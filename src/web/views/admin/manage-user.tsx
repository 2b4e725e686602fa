import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { api } from '../../lib/api.ts'
import { t } from '../../lib/i18n.ts'
import { me } from '../../lib/session.ts'
import { useSignal, type Signal } from '../../lib/signals.ts'
import { Button } from '../../ui/button.tsx'
import { Check } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form.tsx'
import { Problem, useAction } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.tsx'
import { Person, HandOver, type Link, QuotaField } from './add-user.tsx'
import { isNew } from './setting-table.ts'
import { isLastAdministrator, isOwn, saySpace, type Accounts, type ManagedUser } from './user.ts'

interface ManageProps {
  readonly user: ManagedUser
  readonly accounts: Accounts
  readonly onChanged: () => void
  readonly onDelete: () => void
  readonly onClose: () => void
}

/** An account's fields, and all actions on it with their consequences. */
export function ManageUser(props: ManageProps) {
  const { user, accounts, onClose } = props
  const { standardQuota: standard } = accounts
  const link = useSignal<Link | null>(null)
  const person = useSignal({ name: user.name, email: user.email })
  const isAdmin = useSignal(user.is_admin)
  const quota = useSignal(user.quota)
  const known = useRef(user).current
  const isLast = isLastAdministrator(user, accounts.users)
  const save = async () => {
    // Another administrator may have changed the rest.
    const given = { ...person.value, is_admin: isAdmin.value, quota: quota.value }
    const changes = Object.fromEntries(Object.entries(given).filter(isNew({ ...known })))
    await api('PUT', `/api/users/${user.id}`, { body: changes })
    if (isOwn(user) && me.value) me.value = { ...me.value, ...changes }
    toast(t('common.saved'))
    props.onChanged()
    onClose()
  }
  if (link.value) return <HandOver link={link.value} {...user} onClose={onClose} />
  return (
    <FormDialog title={user.name} action={t('common.save')} onSubmit={save} onClose={onClose}>
      {isOwn(user) && <p class="hint">{t('users.own')}</p>}
      {isLast && (
        <p class="notice" id="last-administrator">
          {t('users.last')}
        </p>
      )}
      <h3>{t('account.profile')}</h3>
      <Person person={person} />
      {user.invited_at && person.value.email !== user.email && (
        <p class="notice">{t('users.address_voids')}</p>
      )}
      <h3>{t('section.storage')}</h3>
      <QuotaField
        {...{ quota, standard }}
        hint={t('users.uses', { size: saySpace(user, standard) })}
      />
      <h3>{t('users.access')}</h3>
      {!isLast && <Check label={t('users.admin_label')} checked={isAdmin} />}
      <Acts {...props} isLast={isLast} link={link} />
    </FormDialog>
  )
}

interface ActsProps extends ManageProps {
  readonly isLast: boolean
  /** Shown once it is set. */
  readonly link: Signal<Link | null>
}

function Acts(props: ActsProps) {
  const { user, isLast, onChanged, onDelete, onClose } = props
  const { id, email, name } = user
  const action = useAction()
  const run = (method: string, path: string, done: string, body?: object) =>
    action.run(async () => {
      await api(method, `/api/users/${id}${path}`, { body })
      toast(done)
      onChanged()
      onClose()
    })
  const toggle = () => run('PUT', '', t('common.saved'), { disabled: !user.disabled })
  const makeLink = () =>
    action.run(async () => {
      const what = user.invited_at ? 'invite' : 'password-reset'
      const link = await api<Link & { url: string | null }>('POST', `/api/users/${id}/${what}`)
      onChanged()
      if (link.url === null) {
        toast(t('users.mailed', { email }))
        onClose()
      } else props.link.value = link
    })
  const resetFactor = () => run('POST', '/2fa/reset', t('users.factor_was_reset', { name }))
  const reason = isLast ? 'last-administrator' : undefined
  return (
    <>
      <Problem error={action.error} />
      {!user.disabled && (
        <Act hint={t(user.invited_at ? 'users.again_hint' : 'users.link_hint')}>
          <Button busy={action.isBusy} onClick={makeLink}>
            {t(user.invited_at ? 'users.invite_again' : 'users.link')}
          </Button>
        </Act>
      )}
      {user.second_factor && (
        <Act hint={t(isOwn(user) ? 'users.own_factor' : 'users.factor_hint')}>
          <Button disabled={isOwn(user)} onClick={resetFactor}>
            {t('users.factor_reset')}
          </Button>
        </Act>
      )}
      <h3>{t('users.danger')}</h3>
      <Act hint={!user.disabled && t('users.disable_hint')}>
        <Button disabled={isLast} describedBy={reason} onClick={toggle}>
          {t(user.disabled ? 'users.enable' : 'users.disable')}
        </Button>
      </Act>
      <Act>
        <Button kind="danger" disabled={isLast} describedBy={reason} onClick={onDelete}>
          {t('users.delete')}
        </Button>
      </Act>
    </>
  )
}

/** A button, and what it does. */
function Act(props: { readonly hint?: string | false; readonly children: ComponentChildren }) {
  return (
    <div>
      {props.children}
      {props.hint && <p class="hint">{props.hint}</p>}
    </div>
  )
}
