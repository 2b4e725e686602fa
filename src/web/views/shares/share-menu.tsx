import { api, ApiError } from '../../lib/api.ts'
import { deleteLater, type Deletion } from '../../lib/deletion.ts'
import { formatEnd } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { sendsEmail } from '../../lib/page-data.ts'
import { go, place } from '../../lib/router.ts'
import { sharePath } from '../../lib/share.ts'
import { useSignal } from '../../lib/signals.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import type { useAction } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.tsx'
import { explainUnsent, ResendConfirm } from '../send/emails.tsx'
import type { MailAnswer, RecipientEmail } from '../send/emails.tsx'
import { findSending, stopSending } from '../send/uploads.ts'
import { isOver, nameOfShare, stopPath, type OwnShare } from './share-state.tsx'

interface ShareActionProps {
  readonly share: OwnShare
  readonly onChanged: (share: OwnShare) => void
}

export function ShareMenu(props: ShareActionProps & { action: ReturnType<typeof useAction> }) {
  const { share, action } = props
  const emails = useSignal<readonly RecipientEmail[]>([])
  const name = nameOfShare(share)
  const address = `/shares/${share.id}`
  const isOpen = !isOver(share) && share.status === 'complete'
  const askToResend = async () => {
    const { path } = place.value
    const found = await api<RecipientEmail[]>('GET', `${sharePath(share.id)}/emails`)
    // The user has left the view meanwhile.
    if (place.value.path !== path) return
    // The view where recipients can be entered.
    if (found.length === 0) go(`${address}/recipients`)
    else emails.value = found
  }
  return (
    <>
      <Menu label={t('manage.more', { name })}>
        <ButtonLink kind="quiet" href={address}>
          {t('send.open')}
        </ButtonLink>
        {!isOver(share) && (
          <ButtonLink kind="quiet" href={`${address}/settings`}>
            {t('ready.change')}
          </ButtonLink>
        )}
        {isOpen && (
          <>
            {share.expires_at && (
              <Button
                kind="quiet"
                busy={action.isBusy}
                onClick={() => action.run(() => extend(props))}
              >
                {t('shares.extend')}
              </Button>
            )}
            {sendsEmail() && (
              <Button kind="quiet" busy={action.isBusy} onClick={() => action.run(askToResend)}>
                {t('shares.resend')}
              </Button>
            )}
            <Button kind="danger" onClick={() => stopShare(props)}>
              {t('shares.stop')}
            </Button>
          </>
        )}
        <Button kind="danger" onClick={() => deleteShare(share)}>
          {t('shares.delete')}
        </Button>
      </Menu>
      {emails.value.length > 0 && (
        <ResendConfirm
          title={t('shares.resend_title', { n: emails.value.length })}
          emails={emails.value}
          onConfirm={() => resend(share)}
          onClose={() => (emails.value = [])}
        >
          <p>
            <bdi>{name}</bdi>
          </p>
        </ResendConfirm>
      )}
    </>
  )
}

/** By a week, from the end that the service has: the one in the list may be older. */
async function extend({ share, onChanged }: ShareActionProps): Promise<void> {
  const path = sharePath(share.id)
  let now = await api<OwnShare>('GET', path)
  // It may never expire by now.
  if (now.expires_at) {
    const end = new Date(now.expires_at)
    end.setDate(end.getDate() + 7)
    now = await api('PATCH', path, { body: { expiresAt: end.toISOString() } })
    toast(t('shares.extended', { name: nameOfShare(share), day: formatEnd(now.expires_at!) }))
  }
  onChanged(now)
}

export async function resend({ id }: OwnShare): Promise<void> {
  const { mail, recipients } = await api<MailAnswer>('POST', `${sharePath(id)}/resend`)
  if (mail !== 'queued') throw new ApiError(0, { code: mail, error: explainUnsent(mail) })
  toast(t('ready.mail_queued', { list: recipients.join(', ') }))
}

/** Ends a share and deletes its files; can be undone for ten seconds. */
export function stopShare({ share, onChanged }: ShareActionProps): void {
  endLater(share, {
    paths: [stopPath(share.id)],
    method: 'POST',
    text: t('shares.stopped', { name: nameOfShare(share) }),
    onDone: (answer) => answer && onChanged(answer as OwnShare),
  })
}

/** Can be undone for ten seconds. */
export function deleteShare(share: OwnShare): void {
  const text = t('manage.deleted', { name: nameOfShare(share) })
  endLater(share, { paths: [sharePath(share.id)], text })
}

/** Its upload is paused until it ends, or goes on. */
function endLater(share: OwnShare, deletion: Deletion): void {
  const sending = findSending(share.id)
  const goesOn = sending && sending.snapshot.value.phase !== 'paused'
  sending?.upload.pause()
  deleteLater({
    ...deletion,
    onDone: (answer) => {
      if (sending) stopSending(sending)
      deletion.onDone?.(answer)
    },
    onKept: () => goesOn && sending.upload.resume(),
  })
}
