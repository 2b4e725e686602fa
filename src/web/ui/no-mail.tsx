import { t } from '../lib/i18n.ts'
import { sendsEmail } from '../lib/page-data.ts'
import { me } from '../lib/session.ts'

/** Tells administrators alone why nothing offers to send email. */
export function NoMail() {
  if (sendsEmail() || !me.value?.is_admin) return null
  return (
    <p class="hint">
      {t('no_mail.text')} <a href="/admin/settings/mail">{t('no_mail.action')}</a>
    </p>
  )
}
