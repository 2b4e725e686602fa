import { t } from '../../lib/i18n.ts'
import { useSignal } from '../../lib/signals.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Heading } from '../../ui/heading.tsx'
import * as icons from '../../ui/icons.ts'
import { Loading, useLoad } from '../../ui/state.tsx'
import { Steps } from '../../ui/steps.tsx'
import { AccountStep } from './account-step.tsx'
import { AddressStep } from './address-step.tsx'
import { readConfig, type StepProps } from './config.ts'
import { LimitsStep } from './limits-step.tsx'
import { MailStep } from './mail-step.tsx'

const views = [AddressStep, LimitsStep, MailStep, Done]

/** The first administrator's account, then the essential settings. */
export function Setup({ isOpen }: { readonly isOpen: boolean }) {
  const hasAccount = useSignal(!isOpen)
  const step = useSignal(isOpen ? 0 : readStep())
  const onStep = (next: number) => {
    history.replaceState(null, '', `#step=${next}`)
    step.value = next
  }
  const onCreated = () => {
    hasAccount.value = true
    onStep(1)
  }
  if (!hasAccount.value) {
    return (
      <>
        <StepList current={0} />
        <AccountStep onCreated={onCreated} />
      </>
    )
  }
  return step.value > 0 ? <Settings step={step.value} onStep={onStep} /> : <Closed />
}

/** A reloaded page continues where it was, although the token in its address is no longer valid. */
function readStep(): number {
  const step = Number(new URLSearchParams(location.hash.slice(1)).get('step'))
  return step >= 1 && step <= views.length ? step : 0
}

function Settings(props: { readonly step: number; readonly onStep: (step: number) => void }) {
  const { step, onStep } = props
  const loaded = useLoad(readConfig, [])
  const { data: config, error } = loaded
  if (error !== null) return <Closed />
  if (!config) return <Loading />
  const View = views[step - 1]!
  return (
    <>
      <StepList current={step} />
      <View
        key={step}
        config={config}
        onSaved={(changes) => loaded.set({ ...config, ...changes })}
        onNext={() => onStep(step + 1)}
        onBack={(typed) => {
          loaded.set({ ...config, ...typed })
          onStep(step - 1)
        }}
      />
    </>
  )
}

function StepList({ current }: { readonly current: number }) {
  const names = ['account', 'address', 'limits', 'mail', 'done'] as const
  return <Steps names={names.map((name) => t(`setup.step.${name}`))} current={current} />
}

function Done({ config }: StepProps) {
  const { canStay, baseUrl } = config
  return (
    <>
      <Heading title={t('setup.done_title')} />
      <p>{t('setup.done_text')}</p>
      <p>
        <ButtonLink kind="primary" icon={icons.send} href={canStay ? '/' : `${baseUrl}/login`}>
          {t(canStay ? 'setup.first_file' : 'setup.sign_in')}
        </ButtonLink>
      </p>
    </>
  )
}

function Closed() {
  return (
    <>
      <Heading title={t('setup.closed_title')} />
      <p>{t('setup.closed_text')}</p>
      <p>
        <ButtonLink kind="primary" href="/login">
          {t('setup.sign_in')}
        </ButtonLink>
      </p>
    </>
  )
}
