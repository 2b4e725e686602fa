import { api } from '../../lib/api.ts'
import { t } from '../../lib/i18n.ts'
import { useSignal } from '../../lib/signals.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import * as icons from '../../ui/icons.ts'
import { Problem, useAction } from '../../ui/state.tsx'

type Answer = { success: true; answer: string } | { success: false; error: string }

/** Sends a test email with the saved settings, and shows the server's answer. */
export function MailTest({ isChanged }: { readonly isChanged: boolean }) {
  const to = useSignal('')
  const answer = useSignal<Answer | null>(null)
  const action = useAction()
  const send = async () => {
    answer.value = null
    const body = to.value.trim() === '' ? {} : { to: to.value }
    answer.value = await api<Answer>('POST', '/api/admin/mail/test', { body })
  }
  return (
    <form
      class="part"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isChanged) void action.run(send)
      }}
    >
      <h2>{t('settings.test')}</h2>
      <Field label={t('settings.test_to')} type="email" value={to} />
      <p class="hint" id="test-first">
        {isChanged && t('settings.test_first')}
      </p>
      <Problem error={action.error} />
      <div role="status">
        {answer.value && (
          <div class={answer.value.success ? 'notice' : 'problem'}>
            <p>{t(answer.value.success ? 'settings.test_answer' : 'settings.test_error')}</p>
            <pre class="text">
              {answer.value.success ? answer.value.answer : answer.value.error}
            </pre>
          </div>
        )}
      </div>
      <div>
        <Button
          type="submit"
          icon={icons.mail}
          busy={action.isBusy}
          disabled={isChanged}
          describedBy="test-first"
        >
          {t('settings.test')}
        </Button>
      </div>
    </form>
  )
}
