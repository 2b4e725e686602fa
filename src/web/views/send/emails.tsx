import * as written from '../../lib/recipients.ts'
import * as icons from '../../ui/icons.ts'
import type { ComponentChildren } from 'preact'
import { api, ApiError } from '../../lib/api.ts'
import { browserClock } from '../../lib/clock.ts'
import { focusNeighbour } from '../../lib/focus.ts'
import { t } from '../../lib/i18n.ts'
import { sharePath, type Share } from '../../lib/share.ts'
import { useSignal } from '../../lib/signals.ts'
import { Button } from '../../ui/button.tsx'
import { Fold } from '../../ui/fold.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Name } from '../../ui/name.tsx'
import { Recipients } from '../../ui/recipients.tsx'
import { Problem, useAction, useLoad, usePoll } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { useEffect } from 'preact/hooks'
import { addContact, contacts, loadContacts } from '../../lib/contacts.ts'

export interface RecipientEmail {
  readonly to: string
  /** Null when none was sent, or when it was too long ago. */
  readonly status: 'queued' | 'sent' | 'dead' | null
  readonly last_error: string
  readonly at: string | null
}

export interface MailAnswer {
  readonly mail: string
  readonly recipients: readonly string[]
  readonly ignored: readonly string[]
}

/** The emails to a share's recipients, followed until all are sent. */
export function useEmails(share: Share) {
  const path = sharePath(share.id)
  const loaded = useLoad(
    async (signal) => ({
      emails: share.recipients
        ? await api<RecipientEmail[]>('GET', `${path}/emails`, { signal })
        : [],
      share,
    }),
    [path, share],
  )
  const { data } = loaded
  // Only data of the complete share counts: before, there was no email.
  const isCurrent = share.status === 'complete' && data?.share.status !== 'draft'
  usePoll(loaded, isCurrent && !!data?.emails.some(({ status }) => status === 'queued'))
  return { ...loaded, isCurrent }
}

/** Recipients of the link by email, with the state of each email, and a form for more of them. */
export function Mail(props: {
  readonly share: Share
  readonly loaded: ReturnType<typeof useEmails>
  readonly onSaved: (share: Share) => void
  /** Whether its first emails are as new as this view. */
  readonly isNew?: boolean
  /** Whether the form is all that this view has. */
  readonly isOpen?: boolean
}) {
  const { share, loaded, onSaved, isNew, isOpen } = props
  const path = sharePath(share.id)
  const answer = useSignal<MailAnswer | null>(null)
  const action = useAction()
  const emails = loaded.data?.emails ?? []
  const isUnsent = emails.length > 0 && emails.every(({ status }) => !status)
  const mail = async (body: { to: string } | { recipients: string }) => {
    answer.value = await api<MailAnswer>('POST', `${path}/resend`, { body })
    loaded.reload()
  }
  const save = async (recipients: string) => {
    answer.value = null
    onSaved(await api<Share>('PATCH', path, { body: { recipients } }))
  }
  const again = useSignal<RecipientEmail | null>(null)
  return (
    <>
      <Problem error={action.error} />
      <div role="status">
        {answer.value && <Mailed answer={answer.value} />}
        {!answer.value && isNew && loaded.isCurrent && loaded.data?.share === share && isUnsent && (
          <p class="problem-text">{explainUnsent('queue full')}</p>
        )}
      </div>
      <ul class="rows" aria-live="polite">
        {emails.map((email) => (
          <EmailRow
            key={email.to}
            email={email}
            isComplete={loaded.isCurrent}
            onResend={() => (again.value = email)}
            onRemove={() => void action.run(() => save(without(share.recipients, email.to)))}
          />
        ))}
      </ul>
      <NewContacts recipients={share.recipients} />
      <More key={path} {...{ share, isOpen, action, save, mail }} />
      {again.value && (
        <ResendConfirm
          title={t('email.resend_to', { to: again.value.to })}
          emails={[again.value]}
          onConfirm={() => mail({ to: again.value!.to })}
          onClose={() => (again.value = null)}
        />
      )}
    </>
  )
}

const without = (recipients: string, email: string) =>
  written.writeRecipients(
    written.readRecipients(recipients).filter((one) => !written.isSame(one, { email, name: '' })),
  )

/** Recipients to add. */
function More(props: {
  readonly share: Share
  readonly isOpen: boolean | undefined
  readonly action: ReturnType<typeof useAction>
  readonly save: (recipients: string) => Promise<void>
  readonly mail: (body: { recipients: string }) => Promise<void>
}) {
  const { share, isOpen, action, save, mail } = props
  const known = written.readRecipients(share.recipients)
  const value = useSignal('')
  const send = async () => {
    const entered = written.readRecipients(value.value)
    const isNew = (one: written.Recipient) => !entered.some((other) => written.isSame(one, other))
    const kept = known.filter((one) => written.isAddress(one) && isNew(one))
    await save(written.writeRecipients([...kept, ...entered]))
    // The others have their email already.
    if (share.status === 'complete') await mail({ recipients: written.writeRecipients(entered) })
    value.value = ''
  }
  return (
    <Fold isOpen={isOpen} text={t(known.length > 0 ? 'people.add' : 'ready.by_email')}>
      <form class="stack" onSubmit={action.onSubmit(send)}>
        <Recipients required value={value} />
        <div>
          <Button type="submit" icon={icons.mail} busy={action.isBusy}>
            {t('nav.send')}
          </Button>
        </div>
      </form>
    </Fold>
  )
}

function EmailRow(props: {
  readonly email: RecipientEmail
  readonly isComplete: boolean
  readonly onResend: () => void
  readonly onRemove: () => void
}) {
  const { email, isComplete, onResend, onRemove } = props
  const { to, status, last_error: error, at } = email
  return (
    <li>
      <span class={status === 'sent' ? 'ok' : 'faint'}>
        <Icon
          path={status === 'sent' ? icons.check : status === 'dead' ? icons.warn : icons.mail}
        />
      </span>
      <div class="main">
        <Name of={to} />
        <p class="faint">
          {!isComplete && t('email.waiting')}
          {isComplete && status && (
            <>
              {t(`email.is.${status}`)} <Time at={at!} />
            </>
          )}
        </p>
        {error && <p class="problem-text">{error}</p>}
      </div>
      <Menu label={t('manage.more', { name: to })}>
        {isComplete && (
          <Button kind="quiet" label={t('email.resend_to', { to })} onClick={onResend}>
            {t('email.resend')}
          </Button>
        )}
        <Button
          kind="danger"
          label={t('file.remove', { name: to })}
          onClick={(event) => {
            focusNeighbour(event.currentTarget as Element)
            onRemove()
          }}
        >
          {t('common.remove')}
        </Button>
      </Menu>
    </li>
  )
}

/** Between two emails to the same people. */
const resendMs = 60_000

/** Asks before the link is sent again, with the time of the last email. */
export function ResendConfirm(props: {
  readonly title: string
  readonly emails: readonly RecipientEmail[]
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
  readonly children?: ComponentChildren
}) {
  const { title, emails, onConfirm, onClose, children } = props
  const last = emails.reduce((latest, { at }) => (at && at > latest ? at : latest), '')
  // Those that have failed may be sent again at once.
  const isSoon = ({ status, at }: RecipientEmail) =>
    at !== null && status !== 'dead' && browserClock.now() - Date.parse(at) < resendMs
  const send = async () => {
    if (emails.some(isSoon)) {
      throw new ApiError(0, { code: 'too_soon', error: t('email.too_soon') })
    }
    await onConfirm()
  }
  return (
    <Confirm
      title={title}
      action={t('email.resend')}
      kind="primary"
      {...{ onClose }}
      onConfirm={send}
    >
      {children}
      {last && (
        <p>
          {t('email.last')} <Time at={last} />
        </p>
      )}
    </Confirm>
  )
}

const obstacles = {
  'limit reached': 'ready.mail_limit',
  'not configured': 'ready.mail_none',
  'queue full': 'ready.mail_full',
  'too many': 'ready.mail_often',
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

/** Offers to add recipients of a share to the contacts. */
function NewContacts({ recipients }: { readonly recipients: string }) {
  const action = useAction()
  useEffect(() => {
    // A failure only means that nothing is offered.
    if (recipients) void loadContacts().catch(() => {})
  }, [recipients])
  const known = contacts.value
  const fresh = known
    ? written.readRecipients(recipients).filter((recipient) => {
        return (
          written.isAddress(recipient) &&
          !known.some((contact) => written.isSame(contact, recipient))
        )
      })
    : []
  const add = async () => {
    for (const recipient of fresh) await keep(recipient)
    toast(t('ready.contacts_added', { n: fresh.length }))
  }
  return (
    <>
      {fresh.length > 0 && (
        <div>
          <Button
            kind="quiet"
            icon={icons.add}
            busy={action.isBusy}
            onClick={() => action.run(add)}
          >
            {t('ready.contacts_add', { n: fresh.length, name: written.writeRecipient(fresh[0]!) })}
          </Button>
        </div>
      )}
      <Problem error={action.error} />
    </>
  )
}

async function keep(recipient: written.Recipient): Promise<void> {
  try {
    await addContact(recipient)
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'conflict')) throw error
    // Added elsewhere meanwhile.
    await loadContacts(true)
  }
}
