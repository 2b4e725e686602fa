import { api, ApiError } from '../../lib/api.ts'
import { goTo } from '../../lib/base-path.ts'
import type { Editable } from '../../lib/editable.ts'
import { t } from '../../lib/i18n.ts'
import { sendsEmail } from '../../lib/page-data.ts'
import { useSignal } from '../../lib/signals.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Heading } from '../../ui/heading.tsx'
import { Loading, Problem, useLoad } from '../../ui/state.tsx'

/** Requests a link by email. Gives the same answer for every address. */
export function AskForReset() {
  const email = useSignal('')
  const isAsked = useSignal(false)
  const submit = async () => {
    await api('POST', '/api/auth/password-reset/request', { body: { email: email.value } })
    isAsked.value = true
  }
  if (!sendsEmail()) {
    return <Done title={t('reset.title')} text={t('reset.no_mail')} />
  }
  if (isAsked.value) return <Done title={t('reset.title')} text={t('reset.asked')} />
  return (
    <Form action={t('reset.ask')} onSubmit={submit} after={<ToLogin />}>
      <Heading title={t('reset.title')} />
      <Field label={t('email')} type="email" autoComplete="username" required value={email} />
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
  if (isSet.value) {
    return <Done title={title} text={t('reset.done')} />
  }
  return (
    <Form
      action={t('reset.set')}
      onSubmit={submit}
      texts={{ wrong_reset_token: t('reset.wrong_link') }}
      after={
        <ButtonLink kind="quiet" href="/login?forgot">
          {t('reset.again')}
        </ButtonLink>
      }
    >
      <Heading title={title} />
      <NewPassword value={password} />
    </Form>
  )
}

/** Opened by an invitation: setting the password signs the user in. */
export function AcceptInvitation() {
  const password = useSignal('')
  const { data, error, reload } = useLoad(
    () => send<{ email: string; name: string }>('invitation/verify', { token: readToken() }),
    [],
  )
  const texts = { wrong_invitation: t('invited.wrong') }
  if (error !== null) {
    const isOver = error instanceof ApiError && error.code === 'wrong_invitation'
    return (
      <>
        <Heading title={t('invited.title')} />
        <Problem error={error} texts={texts} onRetry={isOver ? undefined : reload} />
        <ToLogin />
      </>
    )
  }
  if (!data) return <Loading />
  const submit = async () => {
    await send('invitation/accept', { token: readToken(), password: password.value })
    goTo('/')
  }
  return (
    <Form action={t('invited.action')} onSubmit={submit} texts={texts}>
      <Heading title={t('invited.welcome', { name: data.name })} />
      <p>{t('invited.text')}</p>
      <Field
        label={t('email')}
        type="email"
        autoComplete="username"
        readOnly
        value={{ value: data.email }}
      />
      <NewPassword value={password} />
    </Form>
  )
}

function NewPassword(props: { readonly value: Editable<string> }) {
  return (
    <Field
      label={t('reset.new_password')}
      type="password"
      autoComplete="new-password"
      minLength={8}
      maxLength={256}
      required
      hint={t('reset.rule')}
      {...props}
    />
  )
}

function Done(props: { readonly title: string; readonly text: string }) {
  return (
    <>
      <Heading title={props.title} />
      <p role="status">{props.text}</p>
      <ToLogin />
    </>
  )
}

function ToLogin() {
  return (
    <ButtonLink kind="quiet" href="/login">
      {t('reset.to_login')}
    </ButtonLink>
  )
}

/** What cannot be a token is refused like a wrong one. */
function readToken(): string {
  return (new URLSearchParams(location.hash.slice(1)).get('token') || '-').slice(0, 200)
}

/** A refusal here is about the link, because the user is not signed in. */
function send<T>(path: string, body: object): Promise<T> {
  return api('POST', `/api/auth/${path}`, { body, keepUnauthorized: true })
}
