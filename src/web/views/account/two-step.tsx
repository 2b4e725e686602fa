import { api } from '../../lib/api.ts'
import { t } from '../../lib/i18n.ts'
import { useSignal } from '../../lib/signals.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/form.tsx'
import { Heading } from '../../ui/heading.tsx'
import * as icons from '../../ui/icons.ts'
import { Empty, Show, useGet } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.tsx'
import { useConfirmation } from './confirmation.tsx'
import { Enrol } from './enrol.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

interface Status {
  readonly enabled: boolean
  readonly required: boolean
  readonly recoveryCodesLeft: number
}

const fewCodes = 3

export function TwoStep() {
  const loaded = useGet<Status>('/api/auth/2fa/status')
  const isEnrolling = useSignal(false)
  const asks = useSignal<'renew' | 'turn_off' | null>(null)
  const codes = useSignal<readonly string[] | null>(null)
  const close = () => (asks.value = null)
  const reload = () => {
    isEnrolling.value = false
    codes.value = null
    loaded.reload()
  }
  const renew = async (body: object) => {
    const path = '/api/auth/2fa/recovery-codes'
    codes.value = (await api<{ recoveryCodes: string[] }>('POST', path, { body })).recoveryCodes
    close()
  }
  const turnOff = async (body: object) => {
    await api('POST', '/api/auth/2fa/disable', { body })
    toast(t('two_step.is_off'))
    close()
    reload()
  }
  const prove = asks.value === 'renew' ? renew : turnOff
  if (codes.value)
    return <RecoveryCodes news={t('codes.are_new')} codes={codes.value} onDone={reload} />
  if (isEnrolling.value)
    return <Enrol onDone={reload} onCancel={() => (isEnrolling.value = false)} />
  return (
    <>
      <div class="row">
        <Heading title={t('account.two_step')} />
        {loaded.data && (
          <span class={loaded.data.enabled ? 'badge ok' : 'badge'}>
            {t(loaded.data.enabled ? 'two_step.on' : 'two_step.off')}
          </span>
        )}
      </div>
      <Show loaded={loaded}>
        {({ enabled, required, recoveryCodesLeft }) =>
          enabled ? (
            <>
              <p>{t('two_step.on_text')}</p>
              <p class={recoveryCodesLeft < fewCodes ? 'notice' : 'faint'}>
                {t('two_step.left', { n: recoveryCodesLeft })}
              </p>
              {required && <p class="faint">{t('two_step.required')}</p>}
              <div class="row">
                <Button onClick={() => (asks.value = 'renew')}>{t('two_step.do.renew')}</Button>
                <Button kind="danger" onClick={() => (asks.value = 'turn_off')}>
                  {t('two_step.do.turn_off')}
                </Button>
              </div>
              {asks.value && <Prove what={asks.value} onProof={prove} onClose={close} />}
            </>
          ) : (
            <Empty icon={icons.lock} text={t('two_step.off_text')}>
              <Button kind="primary" onClick={() => (isEnrolling.value = true)}>
                {t('two_step.set_up')}
              </Button>
            </Empty>
          )
        }
      </Show>
    </>
  )
}

/** Asks for password and code, because one alone may be stolen. */
function Prove(props: {
  readonly what: 'renew' | 'turn_off'
  readonly onProof: (proof: object) => Promise<void>
  readonly onClose: () => void
}) {
  const { what, onProof, onClose } = props
  const { fields, confirm } = useConfirmation({ asksCode: true })
  return (
    <FormDialog
      title={t(`two_step.do.${what}_title`)}
      kind={what === 'renew' ? 'primary' : 'danger'}
      action={t(`two_step.do.${what}`)}
      onSubmit={() => confirm(onProof)}
      onClose={onClose}
    >
      <p>{t(`two_step.do.${what}_text`)}</p>
      {fields}
    </FormDialog>
  )
}
