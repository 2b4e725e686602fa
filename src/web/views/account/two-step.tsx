import { useState } from 'preact/hooks'
import { api } from '../../lib/api.ts'
import { t } from '../../lib/i18n.ts'
import { readProof } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Heading } from '../../ui/heading.tsx'
import { Show, useLoad } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.tsx'
import { Enrol } from './enrol.tsx'

interface Status {
  readonly enabled: boolean
  readonly required: boolean
  readonly recoveryCodesLeft: number
}

const fewCodes = 3

export function TwoStep() {
  const loaded = useLoad((signal) => api<Status>('GET', '/api/auth/2fa/status', { signal }), [])
  const [isEnrolling, setEnrolling] = useState(false)
  const [isEnding, setEnding] = useState(false)
  const reload = () => {
    setEnrolling(false)
    setEnding(false)
    loaded.reload()
  }
  if (isEnrolling) return <Enrol onDone={reload} onCancel={() => setEnrolling(false)} />
  return (
    <>
      <Heading title={t('account.two_step')} />
      <Show loaded={loaded}>
        {({ enabled, required, recoveryCodesLeft }) =>
          enabled ? (
            <>
              <p>
                <span class="badge ok">{t('two_step.on')}</span> {t('two_step.on_text')}
              </p>
              <p class={recoveryCodesLeft < fewCodes ? 'notice' : 'faint'}>
                {t('two_step.left', { n: recoveryCodesLeft })}
              </p>
              {required && <p class="faint">{t('two_step.required')}</p>}
              <div>
                <Button kind="danger" onClick={() => setEnding(true)}>
                  {t('two_step.turn_off')}
                </Button>
              </div>
              {isEnding && <TurnOff onDone={reload} onClose={() => setEnding(false)} />}
            </>
          ) : (
            <>
              <p>
                <span class="badge">{t('two_step.off')}</span> {t('two_step.off_text')}
              </p>
              <div>
                <Button kind="primary" onClick={() => setEnrolling(true)}>
                  {t('two_step.set_up')}
                </Button>
              </div>
            </>
          )
        }
      </Show>
    </>
  )
}

function TurnOff(props: { readonly onDone: () => void; readonly onClose: () => void }) {
  const [currentPassword, setPassword] = useState('')
  const [code, setCode] = useState('')
  const turnOff = async () => {
    const body = { currentPassword, ...readProof(code) }
    await api('POST', '/api/auth/2fa/disable', { body })
    toast(t('two_step.is_off'))
    props.onDone()
  }
  return (
    <Dialog title={t('two_step.turn_off_title')} onClose={props.onClose}>
      <Form
        kind="danger"
        action={t('two_step.turn_off')}
        onSubmit={turnOff}
        more={<Button onClick={props.onClose}>{t('cancel')}</Button>}
      >
        <p>{t('two_step.turn_off_text')}</p>
        <Field
          label={t('account.current_password')}
          type="password"
          autoComplete="current-password"
          required
          value={currentPassword}
          onValue={setPassword}
        />
        <Field
          label={t('session.code')}
          autoComplete="one-time-code"
          maxLength={100}
          required
          value={code}
          onValue={setCode}
        />
      </Form>
    </Dialog>
  )
}
