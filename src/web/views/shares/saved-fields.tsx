import { editable } from '../../lib/editable.ts'
import {
  allowedDays,
  endDay,
  expiryOptions,
  hasDays,
  isDay,
  readExpiry,
  type Expiry,
  type ExpiryChange,
} from '../../lib/expiry.ts'
import { formatMoment } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { loadLimits } from '../../lib/limits.ts'
import { useSignal } from '../../lib/signals.ts'
import { Button } from '../../ui/button.tsx'
import { DayField } from '../../ui/expiry-field.tsx'
import { NewPasswordField, Select } from '../../ui/field.tsx'
import { Saved } from '../../ui/saved.tsx'
import { Problem, Show, useAction, useLoad } from '../../ui/state.tsx'

interface ExpiryProps {
  readonly end: string | null
  readonly change: (body: ExpiryChange) => Promise<boolean>
}

/** The present end, or a new one: counted from now, or a day. */
export function ExpirySelect({ end, change }: ExpiryProps) {
  const loaded = useLoad(loadLimits, [])
  const picksDay = useSignal(false)
  if (!loaded.data) return <Show loaded={loaded}>{() => null}</Show>
  const limits = loaded.data
  const kept = end ? formatMoment(end) : t('expiry.never')
  const options = expiryOptions(limits).filter(([value]) => end !== null || value !== '0 Days')
  const days = allowedDays(limits)
  const save = async (to: string) => {
    // The present end is not an option, so it is not sent.
    const isNew = isDay(to) || options.some(([value]) => value === to)
    const isSaved = await change(isNew ? readExpiry(to as Expiry) : {})
    if (isSaved) picksDay.value = false
    return isSaved
  }
  return (
    <Saved value={end ?? ''} save={save}>
      {(value) => (
        <>
          <Select<string>
            label={t('manage.expires')}
            value={editable(picksDay.value ? 'day' : value.value, (to) => {
              picksDay.value = to === 'day'
              if (to !== 'day') value.value = to
            })}
            options={[
              [end ?? '', kept],
              ...options,
              ...(hasDays(days) ? [['day', t('expiry.date')] as const] : []),
            ]}
            hint={t('manage.expires_hint')}
          />
          {picksDay.value && (
            <DayField
              {...days}
              value={editable(
                isDay(value.value) ? value.value : endDay(end, limits),
                (day) => (value.value = day),
              )}
            />
          )}
        </>
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
  return (
    <div class="stack-tight">
      <Saved value="" save={(password) => change({ password })}>
        {(value) => (
          <NewPasswordField
            hint={t(isOn ? 'manage.password_on' : 'manage.password_off')}
            value={value}
          />
        )}
      </Saved>
      {isOn && (
        <div>
          <Button busy={action.isBusy} onClick={() => action.run(() => change({ password: '' }))}>
            {t('manage.password_remove')}
          </Button>
        </div>
      )}
      <Problem error={action.error} />
    </div>
  )
}
