import { useSignal } from '@preact/signals'
import { api } from '../../lib/api.ts'
import { t } from '../../lib/i18n.ts'
import { readPageData } from '../../lib/page-data.ts'
import { sharePath, type Share } from '../../lib/share.ts'
import { Button } from '../../ui/button.tsx'
import * as icons from '../../ui/icons.ts'
import { Recipients } from '../../ui/recipients.tsx'
import { Problem, useAction, useLoad, usePoll } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import type { Finalized } from '../../upload/types.ts'
import { NewContacts } from './new-contacts.tsx'

interface RecipientEmail {
  readonly to: string
  /** Null when none was sent, or when it was too long ago. */
  readonly status: 'queued' | 'sent' | 'dead' | null
  readonly last_error: string
  readonly at: string | null
}

export interface MailAnswer {
  readonly mail: NonNullable<Finalized['mail']>
  readonly recipients: readonly string[]
  readonly ignored: readonly string[]
}

/** Recipients of the link by email, with the state of each email. */
export function Mail(props: {
  readonly share: Share
  readonly onSaved: (share: Share) => void
  /** Whether its first emails are as new as this view. */
  readonly isNew?: boolean
}) {
  const { share, onSaved, isNew } = props
  const path = sharePath(share.id)
  const recipients = useSignal(share.recipients)
  const answer = useSignal<MailAnswer | null>(null)
  const action = useAction()
  const loaded = useLoad(
    async (signal) => ({
      emails: share.recipients
        ? await api<RecipientEmail[]>('GET', `${path}/emails`, { signal })
        : [],
      share,
    }),
    [path, share],
  )
  const emails = loaded.data?.emails ?? []
  const isComplete = share.status === 'complete'
  usePoll(loaded, isComplete && emails.some(({ status }) => status === 'queued'))
  const mail = async (body: { to?: string }) => {
    answer.value = await api<MailAnswer>('POST', `${path}/resend`, { body })
    loaded.reload()
  }
  const send = async () => {
    answer.value = null
    const changed = await api<Share>('PATCH', path, { body: { recipients: recipients.value } })
    onSaved(changed)
    if (changed.status === 'complete') await mail({})
  }
  // Only data of the complete share counts: before, there was no email.
  const isKnown = isNew && isComplete && loaded.data?.share === share
  const isUnsent = isKnown && emails.length > 0 && emails.every(({ status }) => !status)
  const { sendsEmail } = readPageData<{ sendsEmail: boolean }>()
  const reason = sendsEmail ? 'queue full' : 'not configured'
  return (
    <>
      <form class="stack-tight" onSubmit={action.onSubmit(send)}>
        <Recipients required value={recipients} />
        <div>
          <Button type="submit" icon={icons.mail} busy={action.isBusy}>
            {t('ready.send')}
          </Button>
        </div>
        {action.error !== null && <Problem error={action.error} />}
        <div role="status">
          {answer.value && <Mailed answer={answer.value} />}
          {!answer.value && isUnsent && <p class="problem-text">{explainUnsent(reason)}</p>}
        </div>
        <NewContacts recipients={share.recipients} />
      </form>
      <ul class="rows" aria-live="polite">
        {emails.map((email) => (
          <EmailRow
            key={email.to}
            email={email}
            isComplete={isComplete}
            isBusy={action.isBusy}
            onResend={() => void action.run(() => mail({ to: email.to }))}
          />
        ))}
      </ul>
    </>
  )
}

function EmailRow(props: {
  readonly email: RecipientEmail
  readonly isComplete: boolean
  readonly isBusy: boolean
  readonly onResend: () => void
}) {
  const { email, isComplete, isBusy, onResend } = props
  const { to, status, last_error: error, at } = email
  return (
    <li>
      <div class="main">
        <bdi>{to}</bdi>{' '}
        <small class="faint">
          {!isComplete && t('email.waiting')}
          {isComplete && status && (
            <>
              {t(`email.${status}`)} <Time at={at!} />
            </>
          )}
        </small>
        {error && <p class="problem-text">{error}</p>}
      </div>
      {isComplete && (
        <Button kind="quiet" busy={isBusy} label={t('email.resend_to', { to })} onClick={onResend}>
          {t('email.resend')}
        </Button>
      )}
    </li>
  )
}

const obstacles = {
  'limit reached': 'ready.mail_limit',
  'not configured': 'ready.mail_none',
  'queue full': 'ready.mail_full',
} as const

/** Why no email was sent; empty when one was, or without recipients. */
export function explainUnsent(mail: MailAnswer['mail']): string {
  return mail in obstacles ? t(obstacles[mail as keyof typeof obstacles]) : ''
}

export function Mailed({ answer }: { readonly answer: MailAnswer }) {
  const { mail, recipients, ignored } = answer
  const obstacle = explainUnsent(mail)
  return (
    <>
      {mail === 'queued' && <p>{t('ready.mail_queued', { list: recipients.join(', ') })}</p>}
      {obstacle && <p class="problem-text">{obstacle}</p>}
      {ignored.length > 0 && (
        <p class="problem-text">{t('ready.ignored', { list: ignored.join(', ') })}</p>
      )}
    </>
  )
}
