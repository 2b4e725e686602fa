import { editable } from '../../lib/editable.ts'
import * as times from '../../lib/expiry.ts'
import { isDayEnd } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { loadLimits, type Limits } from '../../lib/limits.ts'
import { useSignal } from '../../lib/signals.ts'
import { Button } from '../../ui/button.tsx'
import { ExpiryField } from '../../ui/expiry-field.tsx'
import { NewPasswordField } from '../../ui/field.tsx'
import { Saved } from '../../ui/saved.tsx'
import { Problem, Show, useAction, useLoad } from '../../ui/state.tsx'

interface ExpiryProps {
  readonly end: string | null
  readonly change: (body: times.ExpiryChange) => Promise<boolean>
}

/** The present end, and new ones: counted from now, or a day. */
export function SavedExpiry({ end, change }: ExpiryProps) {
  const loaded = useLoad(loadLimits, [])
  if (!loaded.data) return <Show loaded={loaded}>{() => null}</Show>
  const limits = loaded.data
  const known = end ?? ''
  return (
    <Saved value={known} save={(to) => change(times.readExpiry(to as times.Expiry | times.Until))}>
      {(value) => (
        <ExpiryField
          {...{ limits, end }}
          value={editable(
            value.value === known
              ? chosenBy(end, limits)
              : (value.value as times.Expiry | times.Until),
            (to) => (value.value = to!),
          )}
        />
      )}
    </Saved>
  )
}

interface PasswordProps {
  /** Whether a password is set; it is never shown. */
  readonly isOn: boolean
  readonly change: (body: { password: string }) => Promise<boolean>
}

export function PasswordField({ isOn, change }: PasswordProps) {
  const action = useAction()
  const round = useSignal(0)
  const remove = async () => {
    await change({ password: '' })
    // Also what was typed is gone.
    round.value += 1
  }
  return (
    <div class="stack-tight">
      <Saved key={round.value} value="" save={(password) => change({ password })}>
        {(value) => (
          <NewPasswordField
            hint={t(isOn ? 'manage.password_on' : 'manage.password_off')}
            value={value}
          />
        )}
      </Saved>
      {isOn && (
        <div>
          <Button busy={action.isBusy} onClick={() => action.run(remove)}>
            {t('manage.password_remove')}
          </Button>
        </div>
      )}
      <Problem error={action.error} />
    </div>
  )
}

/** The choice that an end shows: never, or the day that it ends; null for any other moment. */
function chosenBy(end: string | null, limits: Limits): times.Expiry | times.Until | null {
  if (end === null) return '0 Days'
  const day = times.dayOf(Date.parse(end))
  const { last } = times.allowedDays(limits)
  return isDayEnd(new Date(end)) && (!last || day <= last) ? day : null
}
