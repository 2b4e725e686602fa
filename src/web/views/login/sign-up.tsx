import { goTo } from '../../lib/base-path.ts'
import { t } from '../../lib/i18n.ts'
import { readPageData } from '../../lib/page-data.ts'
import { useSignal } from '../../lib/signals.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { NameField, OwnEmail } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Heading } from '../../ui/heading.tsx'
import { AskForLink, Done, OwnPassword, readToken, send, Verified } from './reset.tsx'

interface SignUpData {
  /** Whether people can create an account themselves. */
  readonly signUp: boolean
  readonly isSignedIn: boolean
}

/** Asks for a link; opened by it, creates the account. */
export function SignUp() {
  const { signUp, isSignedIn } = readPageData<SignUpData>()
  const title = t('signup.title')
  if (isSignedIn) {
    return (
      <>
        <Heading title={title} />
        <p role="status">{t('signup.signed_in')}</p>
        <ButtonLink href="/">{t('signup.to_app')}</ButtonLink>
      </>
    )
  }
  if (!signUp) return <Done title={title} text={t('error.sign_up_off')} />
  if (readToken()) return <CreateAccount title={title} />
  return <AskForLink path="sign-up" title={title} asked={t('signup.asked')} />
}

function CreateAccount({ title }: { readonly title: string }) {
  const name = useSignal('')
  const password = useSignal('')
  const waits = useSignal(false)
  const submit = async () => {
    const chosen = { name: name.value, password: password.value }
    const answer = await send<object>('sign-up/confirm', { token: readToken(), ...chosen })
    if ('waiting' in answer) waits.value = true
    else goTo('/')
  }
  if (waits.value) return <Done title={title} text={t('signup.waits')} />
  return (
    <Verified<{ email: string; needs_approval: boolean }> path="sign-up" title={title}>
      {({ email, needs_approval: needsApproval }) => (
        <Form action={t('signup.action')} onSubmit={submit}>
          <Heading title={title} />
          {needsApproval && <p>{t('signup.needs_approval')}</p>}
          <OwnEmail email={email} />
          <NameField label={t('signup.name')} autoComplete="name" value={name} />
          <OwnPassword value={password} />
        </Form>
      )}
    </Verified>
  )
}
