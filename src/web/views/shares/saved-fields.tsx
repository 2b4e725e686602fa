import { expiryOptions, readExpiry, type Expiry } from '../../lib/expiry.ts'
import { formatMoment } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { loadLimits, type ExpiryUnit } from '../../lib/limits.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Saved } from '../../ui/saved.tsx'
import { Problem, Show, useAction, useLoad } from '../../ui/state.tsx'

interface ExpiryProps {
  readonly end: string | null
  readonly change: (body: {
    expirationVal?: number
    expirationUnit?: ExpiryUnit
  }) => Promise<boolean>
}

/** The present end, or a new one counted from now. */
export function ExpirySelect({ end, change }: ExpiryProps) {
  const loaded = useLoad(loadLimits, [])
  if (!loaded.data) return <Show loaded={loaded}>{() => null}</Show>
  const limits = loaded.data
  const kept = end ? formatMoment(end) : t('expiry.never')
  const options = expiryOptions(limits).filter(([value]) => end !== null || value !== '0 Days')
  return (
    <Saved
      value={end ?? ''}
      // The present end is not an option, so it is not sent.
      save={(to) => change(options.some(([value]) => value === to) ? readExpiry(to as Expiry) : {})}
    >
      {(value) => (
        <Select<string>
          label={t('send.expires')}
          value={value}
          options={[[end ?? '', kept], ...options]}
          hint={t('manage.expires_hint')}
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
  return (
    <div class="stack-tight">
      <Saved value="" save={(password) => change({ password })}>
        {(value) => (
          <Field
            label={t('password')}
            type="password"
            autoComplete="new-password"
            maxLength={256}
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
      {action.error !== null && <Problem error={action.error} />}
    </div>
  )
}
