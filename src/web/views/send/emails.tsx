import { useSignal } from '@preact/signals'
import { api } from '../../lib/api.ts'
import { focusNeighbour } from '../../lib/focus.ts'
import { t } from '../../lib/i18n.ts'
import { sendsEmail } from '../../lib/page-data.ts'
import { isAddress, isSame, readRecipients, writeRecipients } from '../../lib/recipients.ts'
import type { Recipient } from '../../lib/recipients.ts'
import { sharePath, type Share } from '../../lib/share.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import * as icons from '../../ui/icons.ts'
import { NoMail } from '../../ui/no-mail.tsx'
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

/** Recipients of the link by email, with the state of each email, and a form for more of them. */
export function Mail(props: {
  readonly share: Share
  readonly onSaved: (share: Share) => void
  /** Whether its first emails are as new as this view. */
  readonly isNew?: boolean
}) {
  const { share, onSaved, isNew } = props
  const path = sharePath(share.id)
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
  const mail = async (body: { to: string } | { recipients: string }) => {
    answer.value = await api<MailAnswer>('POST', `${path}/resend`, { body })
    loaded.reload()
  }
  const save = async (recipients: string) => {
    answer.value = null
    onSaved(await api<Share>('PATCH', path, { body: { recipients } }))
  }
  const canSend = sendsEmail()
  return (
    <>
      {canSend && <More key={path} share={share} action={action} save={save} mail={mail} />}
      <NoMail />
      <Problem error={action.error} />
      <div role="status">
        {answer.value && <Mailed answer={answer.value} />}
        {/* Only data of the complete share counts: before, there was no email. */}
        {!answer.value && isNew && isComplete && loaded.data?.share === share && (
          <Unsent emails={emails} />
        )}
      </div>
      <NewContacts recipients={share.recipients} />
      <ul class="rows" aria-live="polite">
        {emails.map((email) => (
          <EmailRow
            key={email.to}
            email={email}
            isComplete={isComplete}
            isBusy={action.isBusy}
            onResend={canSend ? () => void action.run(() => mail({ to: email.to })) : null}
            onRemove={() => void action.run(() => save(without(share.recipients, email.to)))}
          />
        ))}
      </ul>
    </>
  )
}

const without = (recipients: string, email: string) =>
  writeRecipients(readRecipients(recipients).filter((one) => !isSame(one, { email, name: '' })))

/** Recipients to add. Those that cannot be emailed wait here to be corrected. */
function More(props: {
  readonly share: Share
  readonly action: ReturnType<typeof useAction>
  readonly save: (recipients: string) => Promise<void>
  readonly mail: (body: { recipients: string }) => Promise<void>
}) {
  const { share, action, save, mail } = props
  const known = readRecipients(share.recipients)
  const value = useSignal(writeRecipients(known.filter((one) => !isAddress(one))))
  const send = async () => {
    const entered = readRecipients(value.value)
    const isNew = (one: Recipient) => !entered.some((other) => isSame(one, other))
    const kept = known.filter((one) => isAddress(one) && isNew(one))
    await save(writeRecipients([...kept, ...entered]))
    // The others have their email already.
    if (share.status === 'complete') await mail({ recipients: writeRecipients(entered) })
    value.value = ''
  }
  return (
    <form class="stack-tight" onSubmit={action.onSubmit(send)}>
      <Recipients required value={value} />
      <div>
        <Button type="submit" icon={icons.mail} busy={action.isBusy}>
          {t('ready.send')}
        </Button>
      </div>
    </form>
  )
}

/** Why a new share with recipients was not emailed. */
function Unsent({ emails }: { readonly emails: readonly RecipientEmail[] }) {
  const isUnsent = emails.length > 0 && emails.every(({ status }) => !status)
  return (
    isUnsent && (
      <p class="problem-text">{explainUnsent(sendsEmail() ? 'queue full' : 'not configured')}</p>
    )
  )
}

function EmailRow(props: {
  readonly email: RecipientEmail
  readonly isComplete: boolean
  readonly isBusy: boolean
  /** Null where no email can be sent. */
  readonly onResend: (() => void) | null
  readonly onRemove: () => void
}) {
  const { email, isComplete, isBusy, onResend, onRemove } = props
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
      {isComplete && onResend && (
        <Button kind="quiet" busy={isBusy} label={t('email.resend_to', { to })} onClick={onResend}>
          {t('email.resend')}
        </Button>
      )}
      <IconButton
        icon={icons.close}
        label={t('file.remove', { name: to })}
        onClick={(event) => {
          focusNeighbour(event.currentTarget as Element)
          onRemove()
        }}
      />
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
