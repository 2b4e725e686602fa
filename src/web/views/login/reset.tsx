import type { ComponentChildren } from 'preact'
import { api, ApiError } from '../../lib/api.ts'
import { goTo } from '../../lib/base-path.ts'
import type { Editable } from '../../lib/editable.ts'
import { t } from '../../lib/i18n.ts'
import { sendsEmail } from '../../lib/page-data.ts'
import { useSignal } from '../../lib/signals.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmailField, NewPasswordField, OwnEmail } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Heading } from '../../ui/heading.tsx'
import { Loading, Problem, useLoad } from '../../ui/state.tsx'

export function AskForReset() {
  if (!sendsEmail()) return <Done title={t('reset.title')} text={t('reset.no_mail')} />
  return <AskForLink path="password-reset" title={t('reset.title')} asked={t('reset.asked')} />
}

/** Requests a link by email. Gives the same answer for every address. */
export function AskForLink(props: {
  readonly path: string
  readonly title: string
  readonly asked: string
}) {
  const { path, title, asked } = props
  const email = useSignal('')
  const isAsked = useSignal(false)
  const submit = async () => {
    await send(`${path}/request`, { email: email.value })
    isAsked.value = true
  }
  if (isAsked.value) return <Done title={t('reset.sent')} text={asked} />
  return (
    <Form action={t('reset.ask')} onSubmit={submit} after={<ToLogin />}>
      <Heading title={title} />
      <EmailField autoComplete="username" value={email} />
    </Form>
  )
}

/** Opened by an emailed link. Its token is in the fragment, which browsers send to no server. */
export function SetPassword() {
  const password = useSignal('')
  const isSet = useSignal(false)
  const submit = async () => {
    await send('password-reset/complete', { token: readToken(), password: password.value })
    isSet.value = true
  }
  const title = t('reset.set_title')
  if (isSet.value) return <Done title={title} text={t('reset.done')} />
  const texts = { wrong_reset_token: t('reset.wrong_link') }
  const again = (
    <ButtonLink kind="primary wide" href="/login?forgot">
      {t('reset.again')}
    </ButtonLink>
  )
  return (
    <Verified<{ email: string }> path="password-reset" title={title} texts={texts} onward={again}>
      {({ email }) => (
        <Form action={t('reset.set')} onSubmit={submit} texts={texts}>
          <Heading title={title} />
          <OwnEmail email={email} />
          <OwnPassword value={password} />
        </Form>
      )}
    </Verified>
  )
}

/** Opened by an invitation: setting the password signs the user in. */
export function AcceptInvitation() {
  const password = useSignal('')
  const texts = { wrong_invitation: t('invited.wrong') }
  const submit = async () => {
    await send('invitation/accept', { token: readToken(), password: password.value })
    goTo('/')
  }
  return (
    <Verified<{ email: string; name: string }>
      path="invitation"
      title={t('invited.title')}
      texts={texts}
    >
      {({ email, name }) => (
        <Form action={t('invited.action')} onSubmit={submit} texts={texts}>
          <Heading title={t('invited.welcome', { name })} />
          <p>{t('invited.text')}</p>
          <OwnEmail email={email} />
          <OwnPassword value={password} />
        </Form>
      )}
    </Verified>
  )
}

/** Checks the link, and shows what it is for or its error. */
export function Verified<T>(props: {
  readonly path: string
  readonly title: string
  readonly texts?: Readonly<Record<string, string>>
  /** Offered when the link is refused; by default the way to sign-in. */
  readonly onward?: ComponentChildren
  readonly children: (data: T) => ComponentChildren
}) {
  const { path, title, texts = {}, onward = <ToLogin /> } = props
  const { data, error, reload } = useLoad(
    () => send<T>(`${path}/verify`, { token: readToken() || '-' }),
    [],
  )
  if (error !== null) {
    const isOver = error instanceof ApiError && [403, 409].includes(error.status)
    return (
      <>
        <Heading title={title} />
        <Problem error={error} texts={texts} onRetry={isOver ? undefined : reload} />
        {onward}
      </>
    )
  }
  return data ? <>{props.children(data)}</> : <Loading />
}

export function OwnPassword(props: { readonly value: Editable<string> }) {
  return (
    <NewPasswordField
      label={t('reset.new_password')}
      minLength={8}
      required
      hint={t('reset.rule')}
      {...props}
    />
  )
}

export function Done(props: { readonly title: string; readonly text: string }) {
  return (
    <>
      <Heading title={props.title} />
      <p role="status">{props.text}</p>
      <ToLogin kind="primary wide" />
    </>
  )
}

function ToLogin({ kind = 'quiet' }: { readonly kind?: 'quiet' | 'primary wide' }) {
  return (
    <ButtonLink kind={kind} href="/login">
      {t('reset.to_login')}
    </ButtonLink>
  )
}

/** Empty without one. What cannot be a token is refused like a wrong one. */
export function readToken(): string {
  return (new URLSearchParams(location.hash.slice(1)).get('token') ?? '').slice(0, 1000)
}

/** A refusal here is about the link, because the user is not signed in. */
export function send<T>(path: string, body: object): Promise<T> {
  return api('POST', `/api/auth/${path}`, { body, keepUnauthorized: true })
}
