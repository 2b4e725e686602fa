import { editable, part, type Editable } from '../../lib/editable.ts'
import { t } from '../../lib/i18n.ts'
import { useSignal } from '../../lib/signals.ts'
import { Button } from '../../ui/button.tsx'
import { Field, optionsOf, Select } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Heading } from '../../ui/heading.tsx'
import { Problem, useAction } from '../../ui/state.tsx'
import { call, type Config, type StepProps } from './config.ts'

const securities = ['starttls', 'tls', 'none'] as const

type TestAnswer = { success: true; answer: string } | { success: false; error: string }
type Mail = Pick<
  Config,
  'smtpHost' | 'smtpPort' | 'smtpSecurity' | 'smtpUser' | 'smtpPassword' | 'smtpFrom'
>

export function MailStep({ config, onSave, onNext, onBack }: StepProps) {
  const mail = useSignal<Mail>(config)
  const tested = useSignal<(TestAnswer & { to: string; mail: Mail }) | null>(null)
  const leaving = useAction()
  const keep = async () => {
    const { smtpHost, smtpPort, smtpSecurity, smtpUser, smtpPassword, smtpFrom } = mail.value
    await onSave({ smtpHost, smtpPort, smtpSecurity, smtpUser, smtpPassword, smtpFrom })
  }
  const test = async () => {
    tested.value = null
    const tried = mail.value
    await keep()
    const { email: to } = await call<{ email: string }>('GET', '/api/account')
    const answer = await call<TestAnswer>('POST', '/api/admin/mail/test', { body: { to } })
    tested.value = { ...answer, to, mail: tried }
  }
  const leave = async () => {
    await keep()
    onNext()
  }
  const isProven = tested.value?.success === true && tested.value.mail === mail.value
  return (
    <>
      <Heading title={t('setup.mail_title')} />
      <p>{t('setup.mail_text')}</p>
      <Form
        action={t(isProven ? 'common.next' : 'setup.test')}
        onSubmit={isProven ? leave : test}
        after={
          <>
            {!isProven && (
              <Button kind="quiet" busy={leaving.isBusy} onClick={() => leaving.run(leave)}>
                {t(mail.value.smtpHost === '' ? 'setup.skip' : 'common.next')}
              </Button>
            )}
            <Problem error={leaving.error} />
            <Button kind="quiet" onClick={() => onBack(mail.value)}>
              {t('common.back')}
            </Button>
          </>
        }
      >
        <Server mail={mail} />
        <div role="status">{tested.value && <Tested tested={tested.value} />}</div>
      </Form>
    </>
  )
}

function Tested({ tested }: { readonly tested: TestAnswer & { to: string } }) {
  return (
    <div class={tested.success ? 'notice' : 'problem'}>
      <p>{tested.success ? t('setup.test_sent', { email: tested.to }) : t('setup.test_failed')}</p>
      <p>
        <code>{tested.success ? tested.answer : tested.error}</code>
      </p>
    </div>
  )
}

function Server({ mail }: { readonly mail: Editable<Mail> }) {
  const port = part(mail, 'smtpPort')
  return (
    <>
      <Field
        label={t('setup.smtp_host')}
        autoComplete="off"
        maxLength={255}
        required
        value={part(mail, 'smtpHost')}
      />
      <Select
        label={t('setup.smtp_security')}
        value={part(mail, 'smtpSecurity')}
        options={optionsOf(securities, (name) => t(`setup.security.${name}`))}
      />
      <Field
        label={t('setup.smtp_port')}
        type="number"
        min={1}
        max={65_535}
        required
        value={editable(String(port.value), (typed) => (port.value = Number(typed)))}
      />
      <Field
        label={t('setup.smtp_user')}
        autoComplete="off"
        hint={t('setup.smtp_user_hint')}
        maxLength={320}
        value={part(mail, 'smtpUser')}
      />
      <Field
        label={t('common.password')}
        type="password"
        autoComplete="off"
        maxLength={500}
        value={part(mail, 'smtpPassword')}
      />
      <Field
        label={t('setup.smtp_from')}
        autoComplete="off"
        hint={t('setup.smtp_from_hint')}
        maxLength={320}
        value={part(mail, 'smtpFrom')}
      />
    </>
  )
}
