import { useEffect } from 'preact/hooks'
import { t } from '../../lib/i18n.ts'
import { hasPasskeys } from '../../lib/passkey.ts'
import { signInByAutofill, signInWithPasskey } from '../../lib/sign-in.ts'
import { Button } from '../../ui/button.tsx'
import { Heading } from '../../ui/heading.tsx'
import { Problem, useAction } from '../../ui/state.tsx'

interface PasskeyProps {
  readonly remember: { readonly value: boolean }
  readonly onDone: () => void
}

/** Signs in with a passkey. Shown only where the browser has them. */
export function PasskeyButton(props: PasskeyProps & { readonly isFilledIn?: boolean }) {
  const { remember, onDone, isFilledIn } = props
  const action = useAction()
  const signIn = async () => {
    if (await signInWithPasskey(remember.value)) onDone()
  }
  useEffect(() => {
    if (!isFilledIn) return
    void signInByAutofill((verify) =>
      action.run(async () => {
        await verify(remember.value)
        onDone()
      }),
    )
  }, [])
  if (!hasPasskeys()) return null
  return (
    <>
      <Problem error={action.error} />
      <Button isWide busy={action.isBusy} onClick={() => action.run(signIn)}>
        {t('login.passkey')}
      </Button>
    </>
  )
}

/** The second step of an account whose only second factors are passkeys. */
export function PasskeyStep(props: {
  readonly remember: boolean
  readonly onDone: () => void
  readonly onBack: () => void
}) {
  return (
    <div class="stack">
      <Heading title={t('login.passkey_title')} />
      {!hasPasskeys() && <p class="problem">{t('error.https_required')}</p>}
      <PasskeyButton remember={{ value: props.remember }} onDone={props.onDone} />
      <Button kind="quiet" onClick={props.onBack}>
        {t('login.other_account')}
      </Button>
    </div>
  )
}
