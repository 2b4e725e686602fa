import { formatDay, formatMoment } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'

/** A link that sets a password: the API's `Invitation` and `ResetLink`. */
export interface Link {
  /** Id of the account; only in invitations. */
  readonly id?: number
  readonly url: string
  readonly expires_at: string
  readonly mailed: boolean
}

/** A link to copy, and how else it reaches its user. */
export function HandOver(props: {
  readonly link: Link
  readonly name: string
  readonly email: string
  readonly onClose: () => void
}) {
  const { link, name, email, onClose } = props
  const isInvitation = link.id !== undefined
  const end = isInvitation ? formatDay(link.expires_at) : formatMoment(link.expires_at)
  const title = t(isInvitation ? 'users.invited_title' : 'users.link_title', { name })
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="stack">
        <p>{t(link.mailed ? 'users.mailed' : 'users.hand_over', { email })}</p>
        <CopyField label={t('users.the_link')} value={link.url} action={t('copy')} />
        <p class="hint">{t('users.link_ends', { end })}</p>
        <div class="actions">
          <Button kind="primary" onClick={onClose}>
            {t('close')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
