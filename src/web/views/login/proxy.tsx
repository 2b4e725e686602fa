import { api } from '../../lib/api.ts'
import { editable } from '../../lib/editable.ts'
import { t } from '../../lib/i18n.ts'
import { proxyUser } from '../../lib/page-data.ts'
import { readProof } from '../../lib/session.ts'
import type { Methods } from '../../lib/sign-in.ts'
import { useSignal } from '../../lib/signals.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { CodeField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Heading } from '../../ui/heading.tsx'
import { goOn } from './sign-in.tsx'

/** Signs in the user of the proxy, when asked: after signing out, they still are its user. */
export function ContinueAs() {
  const code = useSignal<string | null>(null)
  const setCode = (typed: string) => (code.value = typed)
  const other = new URLSearchParams(location.search)
  other.set('other', '')
  const href = `/login?${other}`
  const submit = async () => {
    const body = code.value === null ? {} : readProof(code.value)
    const options = { body, keepUnauthorized: true }
    const answer = await api<{ methods?: Methods }>('POST', '/api/auth/proxy', options)
    if (!answer.methods) goOn()
    else if (answer.methods.includes('code')) setCode('')
    else location.assign(href)
  }
  return (
    <Form
      action={t('proxy.action', { name: proxyUser()! })}
      onSubmit={submit}
      after={
        <ButtonLink kind="quiet" href={href}>
          {t('login.other_account')}
        </ButtonLink>
      }
    >
      <Heading title={t('login.title')} />
      <p>{t('proxy.text')}</p>
      {code.value !== null && (
        <CodeField
          label={`${t('login.code')} / ${t('login.recovery_code')}`}
          autoFocus
          value={editable(code.value, setCode)}
        />
      )}
    </Form>
  )
}
