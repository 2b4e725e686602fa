import { useId } from 'preact/hooks'
import { api } from '../../lib/api.ts'
import { goTo } from '../../lib/base-path.ts'
import { formatBytes } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { useSignal } from '../../lib/signals.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Problem, useAction } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.tsx'
import { firstHeir, HeirField, heirsOf } from './heir.tsx'
import { isOwn, type ManagedUser } from './user.ts'

/** Asks what to do with the account's property, and requires its name to be typed. */
export function DeleteUser(props: {
  readonly user: ManagedUser
  readonly all: readonly ManagedUser[]
  readonly onDeleted: () => void
  readonly onClose: () => void
}) {
  const { user, all, onClose } = props
  const { name } = user
  const heirs = heirsOf([user], all)
  const heir = useSignal(firstHeir(heirs))
  const typed = useSignal('')
  const action = useAction()
  const isTyped = typed.value.trim() === name.trim()
  const reason = useId()
  const remove = async () => {
    await api('DELETE', `/api/users/${user.id}${heir.value && `?transferTo=${heir.value}`}`)
    toast(t('users.deleted', { name }))
    if (isOwn(user)) return goTo('/login')
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
        <HeirField size={formatBytes(user.used_bytes)} heirs={heirs} heir={heir} />
        <div id={reason}>
          <Field
            label={t('users.delete_type', { name })}
            autoComplete="off"
            required
            value={typed}
          />
        </div>
        <Problem error={action.error} />
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
