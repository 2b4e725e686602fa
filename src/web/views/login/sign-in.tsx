import { useEffect, useState } from 'preact/hooks'
import { branding } from '../../lib/branding.ts'
import { t } from '../../lib/i18n.ts'
import { login, verifySecondFactor } from '../../lib/sign-in.ts'
import { Button } from '../../ui/button.tsx'
import { Check, Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Heading } from '../../ui/heading.tsx'

/** Kept between the steps, so that the second one need not ask for the password again. */
interface FirstStep {
  readonly email: string
  readonly password: string
  readonly remember: boolean
}

export function SignIn() {
  const [first, setFirst] = useState<FirstStep | null>(null)
  if (first) return <SecondStep {...first} onBack={() => setFirst(null)} />
  return <FirstStepForm onSecondFactor={setFirst} />
}

function FirstStepForm(props: { onSecondFactor: (first: FirstStep) => void }) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [remember, setRemember] = useState(true)
  const submit = async () => {
    const answer = await login(email, password, remember)
    if ('requires2FA' in answer) props.onSecondFactor({ email, password, remember })
    else goOn()
  }
  return (
    <Form
      class="card"
      action={t('login.action')}
      onSubmit={submit}
      after={<a href="/login?forgot">{t('login.forgot')}</a>}
    >
      <Heading title={t('login.title')} />
      {branding.welcomeText && <p class="text">{branding.welcomeText}</p>}
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
      <Check
        label={t('login.remember')}
        hint={t('login.remember_hint')}
        checked={remember}
        onChecked={setRemember}
      />
    </Form>
  )
}

function SecondStep({ email, password, remember, onBack }: FirstStep & { onBack: () => void }) {
  const [usesRecovery, setUsesRecovery] = useState(false)
  const [typed, setTyped] = useState('')
  // Apps show codes in groups, so a copied code may contain a space.
  const code = usesRecovery ? typed.trim() : typed.replaceAll(/\s/g, '')
  const submit = async () => {
    const proof = usesRecovery ? { recoveryCode: code } : { code }
    await verifySecondFactor(email, password, proof, remember)
    goOn()
  }
  const isWhole = !usesRecovery && /^\d{6}$/.test(code)
  // Six digits complete the form, so it is submitted automatically, once per code.
  useEffect(() => {
    if (isWhole) document.querySelector('form')?.requestSubmit()
  }, [isWhole && code])
  return (
    <Form
      // The error of a code does not apply to a recovery code.
      key={String(usesRecovery)}
      class="card"
      action={t('login.action')}
      onSubmit={submit}
      after={
        <>
          <Button
            kind="quiet"
            onClick={() => {
              setTyped('')
              setUsesRecovery(!usesRecovery)
            }}
          >
            {t(usesRecovery ? 'login.use_code' : 'login.use_recovery')}
          </Button>
          <Button kind="quiet" onClick={onBack}>
            {t('login.other_account')}
          </Button>
        </>
      }
    >
      <Heading title={t(usesRecovery ? 'login.recovery_title' : 'login.code_title')} />
      <Field
        label={t(usesRecovery ? 'login.recovery_code' : 'login.code')}
        inputMode={usesRecovery ? undefined : 'numeric'}
        autoComplete={usesRecovery ? 'off' : 'one-time-code'}
        maxLength={usesRecovery ? 50 : 10}
        required
        autoFocus
        value={typed}
        onValue={setTyped}
      />
    </Form>
  )
}

/**
 * Continues to the address that the user wanted, if it is one of this service. Uses the whole
 * checked address, because a path alone may begin with two slashes, which names another host.
 */
function goOn(): void {
  const wanted = new URLSearchParams(location.search).get('next') ?? '/'
  const base = location.origin
  const address = URL.canParse(wanted, base) ? new URL(wanted, base) : null
  location.assign(address?.origin === base ? address.href : '/')
}
