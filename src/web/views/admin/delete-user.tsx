import { useId, useState } from 'preact/hooks'
import { api } from '../../lib/api.ts'
import { formatBytes } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { me } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Problem, useAction } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.tsx'
import type { ManagedUser } from './user.ts'

/** Asks what becomes of what the account owns, and for its name typed out. */
export function DeleteUser(props: {
  readonly user: ManagedUser
  readonly all: readonly ManagedUser[]
  readonly onDeleted: () => void
  readonly onClose: () => void
}) {
  const { user, all, onClose } = props
  const { name } = user
  const heirs = all.filter(({ id, disabled }) => id !== user.id && !disabled)
  const own = heirs.find(({ id }) => id === me.value?.id) ?? heirs[0]
  const [heir, setHeir] = useState(own ? String(own.id) : '')
  const [typed, setTyped] = useState('')
  const action = useAction()
  const isTyped = typed.trim() === name.trim()
  const reason = useId()
  const remove = async () => {
    await api('DELETE', `/api/users/${user.id}${heir && `?transferTo=${heir}`}`)
    toast(t('users.deleted', { name }))
    if (user.id === me.value?.id) return location.assign('/login')
    props.onDeleted()
    onClose()
  }
  return (
    <Dialog title={t('users.delete_title', { name })} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (isTyped) void action.run(remove)
        }}
      >
        <p>{t('users.delete_text', { name })}</p>
        <Select
          label={t('users.delete_what', { size: formatBytes(user.used_bytes) })}
          value={heir}
          onValue={setHeir}
          options={[
            ...heirs.map(
              ({ id, email }) => [String(id), t('users.delete_keep', { email })] as const,
            ),
            ['', t('users.delete_all')],
          ]}
        />
        <div id={reason}>
          <Field
            label={t('users.delete_type', { name })}
            autoComplete="off"
            required
            value={typed}
            onValue={setTyped}
          />
        </div>
        {action.error !== null && <Problem error={action.error} />}
        <div class="actions">
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button
            kind="danger"
            type="submit"
            busy={action.isBusy}
            disabled={!isTyped}
            describedBy={isTyped ? undefined : reason}
          >
            {t('admin.delete')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
