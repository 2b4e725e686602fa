import { useEffect, useState } from 'preact/hooks'
import { t } from '../../lib/i18n.ts'
import { login, verifySecondFactor } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Heading } from '../../ui/heading.tsx'
import { Problem, useAction } from '../../ui/state.tsx'

/** Kept between the steps: the second one does not ask for the password again. */
interface FirstStep {
  readonly email: string
  readonly password: string
}

export function SignIn() {
  const [first, setFirst] = useState<FirstStep | null>(null)
  if (first) return <SecondStep {...first} onBack={() => setFirst(null)} />
  return <FirstStepForm onSecondFactor={setFirst} />
}

function FirstStepForm(props: { onSecondFactor: (first: FirstStep) => void }) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const action = useAction()
  const submit = async () => {
    const answer = await login(email, password)
    if ('requires2FA' in answer) props.onSecondFactor({ email, password })
    else goOn()
  }
  return (
    <form class="card" onSubmit={action.onSubmit(submit)}>
      <Heading title={t('login.title')} />
      <Field
        label={t('email')}
        type="email"
        autoComplete="username"
        required
        value={email}
        onValue={setEmail}
      />
      <Field
        label={t('password')}
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onValue={setPassword}
      />
      {action.error !== null && <Problem error={action.error} />}
      <Button kind="primary" type="submit" busy={action.isBusy}>
        {t('login.action')}
      </Button>
      <a href="/login?forgot">{t('login.forgot')}</a>
    </form>
  )
}

function SecondStep({ email, password, onBack }: FirstStep & { onBack: () => void }) {
  const [usesRecovery, setUsesRecovery] = useState(false)
  const [code, setCode] = useState('')
  const action = useAction()
  const isWhole = /^\d{6}$/.test(code)
  const submit = async () => {
    const proof = usesRecovery ? { recoveryCode: code.trim() } : { code }
    await verifySecondFactor(email, password, proof)
    goOn()
  }
  // Six digits are the whole of it: nobody has to look for the button. Once a code only.
  useEffect(() => {
    if (isWhole && !usesRecovery) void action.run(submit)
  }, [isWhole && code])
  return (
    <form class="card" onSubmit={action.onSubmit(submit)}>
      <Heading title={t(usesRecovery ? 'login.recovery_title' : 'login.code_title')} />
      <Field
        key={String(usesRecovery)}
        label={t(usesRecovery ? 'login.recovery_code' : 'login.code')}
        inputMode={usesRecovery ? undefined : 'numeric'}
        autoComplete={usesRecovery ? 'off' : 'one-time-code'}
        maxLength={usesRecovery ? 50 : 6}
        required
        autoFocus
        value={code}
        onValue={setCode}
      />
      {action.error !== null && <Problem error={action.error} />}
      <Button kind="primary" type="submit" busy={action.isBusy}>
        {t('login.action')}
      </Button>
      <Button
        kind="quiet"
        onClick={() => {
          setCode('')
          action.clear()
          setUsesRecovery(!usesRecovery)
        }}
      >
        {t(usesRecovery ? 'login.use_code' : 'login.use_recovery')}
      </Button>
      <Button kind="quiet" onClick={onBack}>
        {t('login.other_account')}
      </Button>
    </form>
  )
}

/** To where the person wanted to go: only ever an address of this service. */
function goOn(): void {
  const wanted = new URLSearchParams(location.search).get('next') ?? '/'
  const address = new URL(wanted, location.origin)
  location.assign(address.origin === location.origin ? address.pathname + address.search : '/')
}
