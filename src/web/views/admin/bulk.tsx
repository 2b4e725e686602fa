import { api } from '../../lib/api.ts'
import { t } from '../../lib/i18n.ts'
import { useSignal } from '../../lib/signals.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { explain } from '../../ui/state.tsx'
import { useHeir } from './delete-user.tsx'
import { isLastAdministrator, isOwn, type ManagedUser } from './user.ts'

export type BulkAct = 'disable' | 'enable' | 'delete'

interface BulkProps {
  readonly act: BulkAct
  readonly chosen: readonly ManagedUser[]
  readonly all: readonly ManagedUser[]
  readonly onChanged: () => void
  readonly onClose: () => void
}

/** One action on several accounts in turn, with the result beside each. */
export function Bulk(props: BulkProps) {
  const { act, chosen, all, onClose } = props
  const able = chosen.filter((user) => reasonAgainst(act, user, all) === '')
  const heir = useHeir(able, all)
  const typed = useSignal('')
  /** By account: done, or an error. */
  const outcomes = useSignal<Readonly<Record<number, string>>>({})
  const phase = useSignal<'asks' | 'runs' | 'ended'>('asks')
  const n = able.length
  const mayRun = n > 0 && (act !== 'delete' || typed.value.trim() === String(n))
  const run = async () => {
    phase.value = 'runs'
    for (const user of able) {
      const outcome = await tell(actOn(act, user, heir.query))
      outcomes.value = { ...outcomes.value, [user.id]: outcome }
    }
    phase.value = 'ended'
    props.onChanged()
  }
  return (
    <Dialog title={t(`act.${act}`, { n })} onClose={phase.value === 'runs' ? undefined : onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (mayRun && phase.value === 'asks') void run()
        }}
      >
        <p>{t(`act.${act}_text`)}</p>
        {phase.value === 'asks' && act === 'delete' && n > 0 && (
          <>
            {heir.field}
            <Field
              label={t('bulk.type', { n })}
              inputMode="numeric"
              autoComplete="off"
              required
              value={typed}
            />
          </>
        )}
        <ul class="stack-tight" aria-live="polite">
          {chosen.map((user) => (
            <li key={user.id}>
              <bdi>{user.email}</bdi>{' '}
              <span class="hint">{reasonAgainst(act, user, all) || outcomes.value[user.id]}</span>
            </li>
          ))}
        </ul>
        <div class="actions">
          <Button disabled={phase.value === 'runs'} onClick={onClose}>
            {t(phase.value === 'ended' ? 'common.close' : 'common.cancel')}
          </Button>
          {phase.value !== 'ended' && (
            <Button
              kind={act === 'enable' ? 'primary' : 'danger'}
              type="submit"
              busy={phase.value === 'runs'}
              disabled={!mayRun}
            >
              {t(`act.${act}`, { n })}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  )
}

/** Why an account is skipped; '' if it is not. */
function reasonAgainst(act: BulkAct, user: ManagedUser, all: readonly ManagedUser[]): string {
  if (act !== 'enable' && isLastAdministrator(user, all)) return t('bulk.last')
  if (act !== 'enable' && isOwn(user)) return t('bulk.own')
  if (act !== 'delete' && user.disabled === (act === 'disable')) return t(`act.${act}_already`)
  return ''
}

function actOn(act: BulkAct, { id }: ManagedUser, heir: string): Promise<unknown> {
  const path = `/api/users/${id}`
  if (act === 'delete') return api('DELETE', path + heir)
  return api('PUT', path, { body: { disabled: act === 'disable' } })
}

async function tell(acting: Promise<unknown>): Promise<string> {
  try {
    await acting
    return t('bulk.done')
  } catch (error) {
    return explain(error)
  }
}
