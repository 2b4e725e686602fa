import { useEffect } from 'preact/hooks'
import { api, mustEnrol } from '../../lib/api.ts'
import { codeIn } from '../../lib/code-in.ts'
import { t } from '../../lib/i18n.ts'
import { factors, signOut } from '../../lib/session.ts'
import { useSignal, type Signal } from '../../lib/signals.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Heading } from '../../ui/heading.tsx'
import { Problem, Show, useAction, useLoad } from '../../ui/state.tsx'
import { CurrentPassword } from './confirmation.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { AddPasskey } from './passkeys.tsx'

interface Secret {
  readonly secret: string
  readonly otpauthUri: string
  readonly qrCodeSvg: string
}

/** Sets up the second factor: the secret, a code that proves it, and the recovery codes. */
export function Enrol(props: { readonly onDone: () => void; readonly onCancel?: () => void }) {
  const { onDone, onCancel } = props
  const made = useLoad(() => api<Secret>('POST', '/api/auth/2fa/setup'), [])
  const isScanned = useSignal(false)
  const codes = useSignal<readonly string[] | null>(null)
  const step = codes.value ? 3 : isScanned.value ? 2 : 1
  return (
    <>
      <p class="faint">{t('common.step', { n: step, all: 3 })}</p>
      {codes.value ? (
        <RecoveryCodes news={t('codes.is_on')} codes={codes.value} onDone={onDone} />
      ) : isScanned.value ? (
        <EnterCode codes={codes} onBack={() => (isScanned.value = false)} />
      ) : (
        <>
          <Heading title={t('enrol.scan_title')} />
          <Show loaded={made}>
            {({ secret, otpauthUri, qrCodeSvg }) => (
              <>
                <p>{t('enrol.scan_text')}</p>
                <img
                  class="qr"
                  src={`data:image/svg+xml,${encodeURIComponent(qrCodeSvg)}`}
                  alt={t('enrol.qr_alt')}
                />
                <p>
                  <a href={otpauthUri}>{t('enrol.open_app')}</a>
                </p>
                <CopyField label={t('enrol.secret')} value={secret.match(/.{1,4}/g)!.join(' ')} />
              </>
            )}
          </Show>
          <div class="actions">
            {onCancel && <Button onClick={onCancel}>{t('common.cancel')}</Button>}
            <Button kind="primary" disabled={!made.data} onClick={() => (isScanned.value = true)}>
              {t('common.next')}
            </Button>
          </div>
        </>
      )}
    </>
  )
}

function EnterCode(props: {
  /** The recovery codes, set when the factor is on. */
  readonly codes: Signal<readonly string[] | null>
  readonly onBack: () => void
}) {
  const { hasPassword } = factors.value
  const currentPassword = useSignal('')
  const code = useSignal('')
  const digits = codeIn(code.value)
  const isWhole = /^\d{6}$/.test(digits)
  const enable = async () => {
    const body = { ...(hasPassword && { currentPassword: currentPassword.value }), code: digits }
    const answer = await api<{ recoveryCodes: string[] }>('POST', '/api/auth/2fa/enable', { body })
    props.codes.value = answer.recoveryCodes
  }
  // Six digits complete the form, so it is submitted automatically.
  useEffect(() => {
    if (isWhole && (currentPassword.value || !hasPassword)) {
      document.querySelector('form')?.requestSubmit()
    }
  }, [isWhole && digits])
  return (
    <Form
      action={t('enrol.turn_on')}
      more={<Button onClick={props.onBack}>{t('common.back')}</Button>}
      onSubmit={enable}
    >
      <Heading title={t('enrol.code_title')} />
      <p>{t('enrol.code_text')}</p>
      {hasPassword && <CurrentPassword value={currentPassword} />}
      <Field
        label={t('enrol.six_digits')}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={50}
        required
        value={code}
      />
    </Form>
  )
}

/** The only view of an account without a second factor that is required to have one. */
export function MustEnrol() {
  const leaving = useAction()
  return (
    <>
      <p class="notice">{t('enrol.must')}</p>
      <Enrol onDone={() => (mustEnrol.value = false)} />
      <div class="row">
        <AddPasskey onAdded={() => (mustEnrol.value = false)} />
      </div>
      <Button kind="quiet" busy={leaving.isBusy} onClick={() => leaving.run(signOut)}>
        {t('nav.sign_out')}
      </Button>
      <Problem error={leaving.error} />
    </>
  )
}
