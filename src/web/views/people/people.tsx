import { api } from '../../lib/api.ts'
import { t } from '../../lib/i18n.ts'
import { sharePath, type Share } from '../../lib/share.ts'
import { useSignal } from '../../lib/signals.ts'
import { Button } from '../../ui/button.tsx'
import { CopyLink } from '../../ui/copy-button.tsx'
import { useConfirm } from '../../ui/dialog.tsx'
import { EmailField, Field } from '../../ui/field.tsx'
import { Fold } from '../../ui/fold.tsx'
import { Form } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import * as icons from '../../ui/icons.ts'
import { Menu } from '../../ui/menu.tsx'
import { Name } from '../../ui/name.tsx'
import { Empty, Show, useGet, usePoll } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { explainUnsent, ResendConfirm, type MailAnswer } from '../send/emails.tsx'

/** A person that a share names: `GET /api/shares/{shareId}/people`. */
interface Person {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly url: string
  readonly revoked_at: string | null
  readonly last_opened_at: string | null
  readonly download_count: number
  readonly device_count: number
  readonly mail_status: 'queued' | 'sent' | 'dead' | null
  readonly mail_at: string | null
}

const shownName = ({ name, email }: Pick<Person, 'name' | 'email'>) => name || email

/** The people of a share, their links, and what became of them. */
export function People({ share }: { readonly share: Share }) {
  const path = `${sharePath(share.id)}/people`
  const loaded = useGet<readonly Person[]>(path, share.status)
  const people = loaded.data ?? []
  const isSending = people.some((person) => person.mail_status === 'queued')
  usePoll(loaded, share.status === 'complete' && isSending)
  const again = useSignal<Person | null>(null)
  const revoking = useConfirm((person: Person) => ({
    title: t('people.revoke_title', { name: shownName(person) }),
    action: t('people.revoke'),
    children: <p>{t('people.revoke_text')}</p>,
    onConfirm: async () => {
      await api('DELETE', `${path}/${person.id}`)
      toast(t('people.revoked_toast', { name: shownName(person) }))
      loaded.reload()
    },
  }))
  const isComplete = share.status === 'complete'
  return (
    <section class="stack">
      <Show loaded={loaded}>
        {() =>
          people.length === 0 ? (
            <Empty text={t('people.empty')} />
          ) : (
            <ul class="rows">
              {people.map((person) => (
                <PersonRow
                  key={person.id}
                  person={person}
                  isComplete={isComplete}
                  onResend={() => (again.value = person)}
                  onRevoke={() => revoking.ask(person)}
                />
              ))}
            </ul>
          )
        }
      </Show>
      <AddPerson share={share} onAdded={loaded.reload} />
      {again.value && (
        <ResendConfirm
          title={t('email.resend_to', { to: again.value.email })}
          emails={[emailOf(again.value)]}
          onConfirm={async () => {
            const body = { to: again.value!.email }
            const path = `${sharePath(share.id)}/resend`
            const { mail } = await api<MailAnswer>('POST', path, { body })
            const obstacle = explainUnsent(mail)
            if (obstacle) toast(obstacle)
            loaded.reload()
          }}
          onClose={() => (again.value = null)}
        />
      )}
      {revoking.dialog}
    </section>
  )
}

function emailOf({ email, mail_status: status, mail_at: at }: Person) {
  return { to: email, status, at, last_error: '' }
}

function PersonRow(props: {
  readonly person: Person
  readonly isComplete: boolean
  readonly onResend: () => void
  readonly onRevoke: () => void
}) {
  const { person, isComplete, onResend, onRevoke } = props
  const { email, name, url, revoked_at: end, last_opened_at: opened } = person
  const shown = shownName(person)
  return (
    <li>
      <span class={opened && !end ? 'ok' : 'faint'}>
        <Icon path={end ? icons.close : opened ? icons.check : icons.link} />
      </span>
      <div class="main">
        <Name of={shown} /> {name && email && <small class="faint">{email}</small>}
        <p class="faint">
          {end ? (
            <>
              {t('people.revoked')} <Time at={end} />
            </>
          ) : (
            <Use person={person} isComplete={isComplete} />
          )}
        </p>
      </div>
      {!end && (
        <span class="row-tight">
          <CopyLink url={url} name={shown} />
          <Menu label={t('manage.more', { name: shown })}>
            {isComplete && email && (
              <Button kind="quiet" onClick={onResend}>
                {t('email.resend')}
              </Button>
            )}
            <Button kind="danger" onClick={onRevoke}>
              {t('people.revoke')}
            </Button>
          </Menu>
        </span>
      )}
    </li>
  )
}

/** `Opened 2 hours ago · 2 downloads (2 devices)`, or how far its email is. */
function Use({ person, isComplete }: { readonly person: Person; readonly isComplete: boolean }) {
  const { email, last_opened_at: opened, download_count: n, device_count: devices } = person
  const { mail_status: mail } = person
  if (opened || n > 0) {
    return (
      <>
        {opened && (
          <>
            {t('people.opened')} <Time at={opened} />
            {' · '}
          </>
        )}
        {t('shares.downloads', { n })}
        {devices > 1 && ` (${t('people.devices', { n: devices })})`}
      </>
    )
  }
  if (!isComplete && email) return <>{t('email.waiting')}</>
  const sent = mail ? t(`email.is.${mail}`) : t('people.unsent')
  return <>{email ? `${sent} · ${t('people.not_opened')}` : t('people.not_opened')}</>
}

function AddPerson({ share, onAdded }: { readonly share: Share; readonly onAdded: () => void }) {
  const name = useSignal('')
  const email = useSignal('')
  const add = async () => {
    const body = { name: name.value.trim(), email: email.value.trim() }
    const { mail } = await api<{ mail?: MailAnswer['mail'] }>(
      'POST',
      `${sharePath(share.id)}/people`,
      { body },
    )
    const obstacle = mail ? explainUnsent(mail) : ''
    if (obstacle) toast(obstacle)
    name.value = ''
    email.value = ''
    onAdded()
  }
  const needsEmail = share.recipientProof !== 'none'
  return (
    <Fold text={t('people.add')}>
      <Form kind="plain" action={t('people.add')} onSubmit={add}>
        <EmailField
          autoComplete="off"
          required={needsEmail || name.value === ''}
          value={email}
          hint={needsEmail ? undefined : t('people.no_address')}
        />
        <Field label={t('common.name')} autoComplete="off" maxLength={100} value={name} />
      </Form>
    </Fold>
  )
}
