import { useState } from 'preact/hooks'
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

interface Letter {
  readonly to: string
  /** Null when nothing was sent, or so long ago that nobody knows. */
  readonly status: 'queued' | 'sent' | 'dead' | null
  readonly last_error: string
  readonly at: string | null
}

export interface MailAnswer {
  readonly mail: NonNullable<Finalized['mail']>
  readonly recipients: readonly string[]
  readonly ignored: readonly string[]
}

/** Who gets a link by mail, and what became of the mail to each. */
export function Mail(props: {
  readonly share: Share
  readonly onSaved: (share: Share) => void
  /** Whether its first mails are no older than this view. */
  readonly isNew?: boolean
}) {
  const { share, onSaved, isNew } = props
  const path = sharePath(share.id)
  const [recipients, setRecipients] = useState(share.recipients)
  const [answer, setAnswer] = useState<MailAnswer | null>(null)
  const action = useAction()
  const loaded = useLoad(
    async (signal) => ({
      letters: share.recipients ? await api<Letter[]>('GET', `${path}/letters`, { signal }) : [],
      share,
    }),
    [path, share],
  )
  const letters = loaded.data?.letters ?? []
  const isComplete = share.status === 'complete'
  usePoll(loaded, isComplete && letters.some(({ status }) => status === 'queued'))
  const mail = async (body: { to?: string }) => {
    setAnswer(await api<MailAnswer>('POST', `${path}/resend`, { body }))
    loaded.reload()
  }
  const send = async () => {
    setAnswer(null)
    const changed = await api<Share>('PATCH', path, { body: { recipients } })
    onSaved(changed)
    if (changed.status === 'complete') await mail({})
  }
  // Of the share as it is: before it was complete there was nothing to send.
  const isKnown = isNew && isComplete && loaded.data?.share === share
  const isUnsent = isKnown && letters.length > 0 && letters.every(({ status }) => !status)
  const { sendsMail } = readPageData<{ sendsMail: boolean }>()
  return (
    <>
      <form class="stack-tight" onSubmit={action.onSubmit(send)}>
        <Recipients required value={recipients} onValue={setRecipients} />
        <div>
          <Button type="submit" icon={icons.mail} busy={action.isBusy}>
            {t('ready.send')}
          </Button>
        </div>
        {action.error !== null && <Problem error={action.error} />}
        <div role="status">
          {answer && <Mailed answer={answer} />}
          {!answer && isUnsent && (
            <p class="problem-text">{explainUnsent(sendsMail ? 'queue full' : 'not configured')}</p>
          )}
        </div>
        <NewContacts recipients={share.recipients} />
      </form>
      <ul class="rows" aria-live="polite">
        {letters.map((letter) => (
          <LetterRow
            key={letter.to}
            letter={letter}
            isComplete={isComplete}
            isBusy={action.isBusy}
            onResend={() => void action.run(() => mail({ to: letter.to }))}
          />
        ))}
      </ul>
    </>
  )
}

function LetterRow(props: {
  readonly letter: Letter
  readonly isComplete: boolean
  readonly isBusy: boolean
  readonly onResend: () => void
}) {
  const { letter, isComplete, isBusy, onResend } = props
  const { to, status, last_error: error, at } = letter
  return (
    <li>
      <div class="main">
        <bdi>{to}</bdi>{' '}
        <small class="faint">
          {!isComplete && t('letter.waiting')}
          {isComplete && status && (
            <>
              {t(`letter.${status}`)} <Time at={at!} />
            </>
          )}
        </small>
        {error && <p class="problem-text">{error}</p>}
      </div>
      {isComplete && (
        <Button kind="quiet" busy={isBusy} label={t('letter.resend_to', { to })} onClick={onResend}>
          {t('letter.resend')}
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

/** Why no mail was sent; empty when one was, or nobody is there to get it. */
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
