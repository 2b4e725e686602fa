import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { api } from '../../lib/api.ts'
import { t } from '../../lib/i18n.ts'
import { me } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Check, Field } from '../../ui/field.tsx'
import { Problem, useAction } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.tsx'
import { isLastAdministrator, type ManagedUser } from './user.ts'

interface ManageProps {
  readonly user: ManagedUser
  readonly all: readonly ManagedUser[]
  readonly onChanged: () => void
  readonly onDelete: () => void
  readonly onClose: () => void
}

/** Everything that can be done to an account, with what each thing does. */
export function ManageUser(props: ManageProps) {
  const { user, onClose } = props
  const [name, setName] = useState(user.name)
  const [email, setEmail] = useState(user.email)
  const [isAdmin, setAdmin] = useState(user.is_admin)
  const action = useAction()
  const isLast = isLastAdministrator(user, props.all)
  const save = async () => {
    await api('PUT', `/api/users/${user.id}`, { body: { name, email, is_admin: isAdmin } })
    if (user.id === me.value?.id) me.value = { ...me.value, name, email, is_admin: isAdmin }
    toast(t('saved'))
    props.onChanged()
    onClose()
  }
  return (
    <Dialog title={user.name} onClose={onClose}>
      <div class="stack">
        {user.id === me.value?.id && <p class="hint">{t('users.own')}</p>}
        {isLast && (
          <p class="notice" id="last-administrator">
            {t('users.last')}
          </p>
        )}
        <form class="stack" onSubmit={action.onSubmit(save)}>
          <Field label={t('name')} required maxLength={200} value={name} onValue={setName} />
          <Field
            label={t('email')}
            type="email"
            required
            maxLength={254}
            value={email}
            onValue={setEmail}
          />
          {!isLast && (
            <Check label={t('users.admin_label')} checked={isAdmin} onChecked={setAdmin} />
          )}
          {action.error !== null && <Problem error={action.error} />}
          <div class="actions">
            <Button onClick={onClose}>{t('cancel')}</Button>
            <Button kind="primary" type="submit" busy={action.isBusy}>
              {t('save')}
            </Button>
          </div>
        </form>
        <Acts {...props} isLast={isLast} />
      </div>
    </Dialog>
  )
}

function Acts(props: ManageProps & { readonly isLast: boolean }) {
  const { user, isLast, onChanged, onDelete, onClose } = props
  const { id, email, name } = user
  const action = useAction()
  const isOwn = id === me.value?.id
  const run = (method: string, path: string, body: object | undefined, done: string) =>
    action.run(async () => {
      await api(method, path, { body })
      toast(done)
      onChanged()
      onClose()
    })
  const toggle = () => run('PUT', `/api/users/${id}`, { disabled: !user.disabled }, t('saved'))
  const sendLink = () =>
    run('POST', '/api/auth/password-reset/request', { email }, t('users.link_sent', { email }))
  const resetFactor = () =>
    run('POST', `/api/users/${id}/2fa/reset`, undefined, t('users.factor_was_reset', { name }))
  const reason = isLast ? 'last-administrator' : undefined
  return (
    <div class="stack">
      {action.error !== null && <Problem error={action.error} />}
      <Act hint={t('users.link_hint')}>
        <Button icon="mail" onClick={sendLink}>
          {t('users.link')}
        </Button>
      </Act>
      {user.second_factor && (
        <Act hint={t(isOwn ? 'users.own_factor' : 'users.factor_hint')}>
          <Button icon="lock" disabled={isOwn} onClick={resetFactor}>
            {t('users.factor_reset')}
          </Button>
        </Act>
      )}
      <Act hint={user.disabled ? '' : t('users.disable_hint')}>
        <Button disabled={isLast} describedBy={reason} onClick={toggle}>
          {t(user.disabled ? 'users.enable' : 'users.disable')}
        </Button>
      </Act>
      <div>
        <Button
          kind="danger"
          icon="trash"
          disabled={isLast}
          describedBy={reason}
          onClick={onDelete}
        >
          {t('users.delete')}
        </Button>
      </div>
    </div>
  )
}

function Act(props: { readonly hint: string; readonly children: ComponentChildren }) {
  return (
    <div class="stack-tight">
      <div>{props.children}</div>
      <p class="hint">{props.hint}</p>
    </div>
  )
}
