import { useEffect } from 'preact/hooks'
import { ApiError, api } from '../../lib/api.ts'
import { addressOf, pathAt } from '../../lib/base-path.ts'
import { branding } from '../../lib/branding.ts'
import { codeIn } from '../../lib/code-in.ts'
import { t } from '../../lib/i18n.ts'
import * as ways from '../../lib/sign-in.ts'
import { useSignal, type Signal } from '../../lib/signals.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Check, EmailField, Field, PasswordField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Heading } from '../../ui/heading.tsx'
import * as icons from '../../ui/icons.ts'
import { Problem, useAction } from '../../ui/state.tsx'
import { readPageData } from '../../lib/page-data.ts'
import { hasPasskeys } from '../../lib/passkey.ts'

const parameter = (name: string) => new URLSearchParams(location.search).get(name)

/** Kept between the steps, so that the second one need not ask for the password again. */
interface FirstStep {
  readonly email: string
  readonly password: string
  readonly remember: boolean
  readonly methods: ways.Methods
}

export function SignIn() {
  const first = useSignal<FirstStep | null>(null)
  const onBack = () => (first.value = null)
  // The step that is left of a sign-in with a provider.
  const left = parameter('step')
  const another = () => location.assign(addressOf('/login'))
  if (left === 'code') {
    return <SecondStep verify={ways.verifyProvider} methods={['code']} remember onBack={another} />
  }
  if (left) return <PasskeyStep remember onBack={another} />
  if (!first.value) return <FirstStepForm entered={first} />
  const { email, password, remember, methods } = first.value
  if (!methods.includes('code')) {
    return <PasskeyStep remember={remember} onBack={onBack} />
  }
  const verify = (proof: ways.Proof) => ways.verifySecondFactor(email, password, proof, remember)
  return <SecondStep {...{ verify, methods, remember, onBack }} />
}

function FirstStepForm({ entered }: { readonly entered: Signal<FirstStep | null> }) {
  const email = useSignal('')
  const password = useSignal('')
  const remember = useSignal(true)
  const wrong = useSignal(false)
  const submit = async () => {
    const first = { email: email.value, password: password.value, remember: remember.value }
    wrong.value = false
    try {
      const answer = await ways.login(first.email, first.password, first.remember)
      if ('requires2FA' in answer) entered.value = { ...first, methods: answer.methods }
      else goOn()
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'wrong_credentials')) throw error
      wrong.value = true
    }
  }
  const { passwordSignIn } = loginData()
  const others = (
    <>
      <ProviderButtons remember={remember} />
      <PasskeyButton isFilledIn={passwordSignIn} remember={remember} />
    </>
  )
  const problem = parameter('problem')
  const head = (
    <>
      <Heading title={t('login.title')} />
      {branding.welcomeText && <p class="welcome">{branding.welcomeText}</p>}
      {problem && <Problem error={new ApiError(403, { code: problem })} />}
    </>
  )
  const stay = (
    <Check label={t('login.remember')} hint={t('login.remember_hint')} checked={remember} />
  )
  if (!passwordSignIn) {
    return (
      <div class="stack">
        {head}
        {others}
        {stay}
      </div>
    )
  }
  return (
    <Form
      action={t('login.action')}
      onSubmit={submit}
      after={
        <>
          {others}
          <OtherPages />
        </>
      }
    >
      {head}
      <EmailField autoComplete="username webauthn" value={email} />
      <PasswordField
        required
        autoFocus={wrong.value}
        problem={wrong.value ? t('error.wrong_credentials') : undefined}
        value={password}
      />
      {stay}
    </Form>
  )
}

function OtherPages() {
  return (
    <>
      <ButtonLink kind="quiet" href="/login?forgot">
        {t('login.forgot')}
      </ButtonLink>
      {loginData().signUp && (
        <ButtonLink kind="quiet" href="/sign-up">
          {t('login.sign_up')}
        </ButtonLink>
      )}
    </>
  )
}

function SecondStep(props: {
  readonly verify: (proof: ways.Proof) => Promise<unknown>
  readonly methods: ways.Methods
  readonly remember: boolean
  readonly onBack: () => void
}) {
  const { verify, methods, remember, onBack } = props
  const usesRecovery = useSignal(false)
  const typed = useSignal('')
  const code = usesRecovery.value ? typed.value.trim() : codeIn(typed.value)
  const submit = async () => {
    await verify(usesRecovery.value ? { recoveryCode: code } : { code })
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
          {methods.includes('passkey') && <PasskeyButton remember={{ value: remember }} />}
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

/** The page that the user wanted, below the base path. */
function wantedPath(): string {
  const wanted = wantedAddress()
  return pathAt(wanted.slice(location.origin.length)) || '/'
}

export const goOn = () => location.assign(wantedAddress())

/**
 * The address that the user wanted, if it is one of this service. Uses the whole checked address,
 * because a path alone may begin with two slashes, which names another host.
 */
function wantedAddress(): string {
  const home = location.origin + addressOf('/')
  const wanted = addressOf(parameter('next') ?? '/')
  const address = URL.canParse(wanted, home) ? new URL(wanted, home).href : home
  return address.startsWith(home) ? address : home
}

interface LoginData {
  readonly passwordSignIn: boolean
  /** Whether people can create an account themselves. */
  readonly signUp: boolean
  readonly providers: readonly { readonly id: string; readonly name: string }[]
}

interface Remember {
  readonly remember: { readonly value: boolean }
}

const loginData = () => readPageData<LoginData>()

function ProviderButtons({ remember }: Remember) {
  const action = useAction()
  const start = async (id: string) => {
    const again = new URLSearchParams(location.search).has('again')
    const body = { remember: remember.value, returnTo: wantedPath(), again }
    const { url } = await api<{ url: string }>('POST', `/api/auth/oidc/${id}/start`, { body })
    location.assign(url)
  }
  return (
    <>
      {loginData().providers.map(({ id, name }) => (
        <Button key={id} isWide busy={action.isBusy} onClick={() => action.run(() => start(id))}>
          {t('login.provider', { name })}
        </Button>
      ))}
      <Problem error={action.error} />
    </>
  )
}

/** Signs in with a passkey. Shown only where the browser has them. */
function PasskeyButton(props: Remember & { readonly isFilledIn?: boolean }) {
  const { remember, isFilledIn } = props
  const action = useAction()
  const signIn = async () => {
    if (await ways.signInWithPasskey(remember.value)) goOn()
  }
  useEffect(() => {
    if (!isFilledIn) return
    void ways.signInByAutofill((verify) =>
      action.run(async () => {
        await verify(remember.value)
        goOn()
      }),
    )
  }, [])
  if (!hasPasskeys()) return null
  return (
    <>
      <Button isWide icon={icons.key} busy={action.isBusy} onClick={() => action.run(signIn)}>
        {t('login.passkey')}
      </Button>
      <Problem error={action.error} />
    </>
  )
}

/** The second step of an account whose only second factors are passkeys. */
function PasskeyStep(props: { readonly remember: boolean; readonly onBack: () => void }) {
  return (
    <div class="stack">
      <Heading title={t('login.passkey_title')} />
      {!hasPasskeys() && <p class="problem">{t('error.https_required')}</p>}
      <PasskeyButton remember={{ value: props.remember }} />
      <Button kind="quiet" onClick={props.onBack}>
        {t('login.other_account')}
      </Button>
    </div>
  )
}
