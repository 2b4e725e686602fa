import { useSignal, type Signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { addressOf } from '../../lib/base-path.ts'
import { branding } from '../../lib/branding.ts'
import { codeIn } from '../../lib/code-in.ts'
import { t } from '../../lib/i18n.ts'
import { login, verifySecondFactor, type Methods } from '../../lib/sign-in.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Check, Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Heading } from '../../ui/heading.tsx'
import { PasskeyButton, PasskeyStep } from './passkey.tsx'

/** Kept between the steps, so that the second one need not ask for the password again. */
interface FirstStep {
  readonly email: string
  readonly password: string
  readonly remember: boolean
  readonly methods: Methods
}

export function SignIn() {
  const first = useSignal<FirstStep | null>(null)
  const onBack = () => (first.value = null)
  if (first.value && !first.value.methods.includes('code')) {
    return <PasskeyStep remember={first.value.remember} onDone={goOn} onBack={onBack} />
  }
  if (first.value) return <SecondStep {...first.value} onBack={onBack} />
  return <FirstStepForm entered={first} />
}

function FirstStepForm({ entered }: { readonly entered: Signal<FirstStep | null> }) {
  const email = useSignal('')
  const password = useSignal('')
  const remember = useSignal(true)
  const submit = async () => {
    const first = { email: email.value, password: password.value, remember: remember.value }
    const answer = await login(first.email, first.password, first.remember)
    if ('requires2FA' in answer) entered.value = { ...first, methods: answer.methods }
    else goOn()
  }
  return (
    <Form
      action={t('login.action')}
      onSubmit={submit}
      after={
        <>
          <PasskeyButton isFilledIn remember={remember} onDone={goOn} />
          <ButtonLink kind="quiet" href="/login?forgot">
            {t('login.forgot')}
          </ButtonLink>
        </>
      }
    >
      <Heading title={t('login.title')} />
      {branding.welcomeText && <p class="welcome">{branding.welcomeText}</p>}
      <Field
        label={t('email')}
        type="email"
        autoComplete="username webauthn"
        required
        value={email}
      />
      <Field
        label={t('password')}
        type="password"
        autoComplete="current-password"
        required
        value={password}
      />
      <Check label={t('login.remember')} hint={t('login.remember_hint')} checked={remember} />
    </Form>
  )
}

function SecondStep(props: FirstStep & { onBack: () => void }) {
  const { email, password, remember, methods, onBack } = props
  const usesRecovery = useSignal(false)
  const typed = useSignal('')
  const code = usesRecovery.value ? typed.value.trim() : codeIn(typed.value)
  const submit = async () => {
    const proof = usesRecovery.value ? { recoveryCode: code } : { code }
    await verifySecondFactor(email, password, proof, remember)
    goOn()
  }
  const isWhole = !usesRecovery.value && /^\d{6}$/.test(code)
  // Six digits complete the form, so it is submitted automatically, once per code.
  useEffect(() => {
    if (isWhole) document.querySelector('form')?.requestSubmit()
  }, [isWhole && code])
  return (
    <Form
      // The error of a code does not apply to a recovery code.
      key={String(usesRecovery.value)}
      action={t('login.action')}
      onSubmit={submit}
      after={
        <div class="stack-tight">
          {methods.includes('passkey') && (
            <PasskeyButton remember={{ value: remember }} onDone={goOn} />
          )}
          <Button
            kind="quiet"
            onClick={() => {
              typed.value = ''
              usesRecovery.value = !usesRecovery.value
            }}
          >
            {t(usesRecovery.value ? 'login.use_code' : 'login.use_recovery')}
          </Button>
          <Button kind="quiet" onClick={onBack}>
            {t('login.other_account')}
          </Button>
        </div>
      }
    >
      <Heading title={t(usesRecovery.value ? 'login.recovery_title' : 'login.code_title')} />
      <Field
        label={t(usesRecovery.value ? 'login.recovery_code' : 'login.code')}
        inputMode={usesRecovery.value ? undefined : 'numeric'}
        autoComplete={usesRecovery.value ? 'off' : 'one-time-code'}
        maxLength={usesRecovery.value ? 100 : 50}
        required
        autoFocus
        value={typed}
      />
    </Form>
  )
}

/**
 * Continues to the address that the user wanted, if it is one of this service. Uses the whole
 * checked address, because a path alone may begin with two slashes, which names another host.
 */
export function goOn(): void {
  const home = location.origin + addressOf('/')
  const wanted = addressOf(new URLSearchParams(location.search).get('next') ?? '/')
  const address = URL.canParse(wanted, home) ? new URL(wanted, home).href : home
  location.assign(address.startsWith(home) ? address : home)
}
