import type { Editable } from '../lib/editable.ts'
import { t } from '../lib/i18n.ts'
import { sendsEmail } from '../lib/page-data.ts'
import { Check, Field } from './field.tsx'
import { me } from '../lib/session.ts'

interface Text {
  readonly value: Editable<string>
}

export function MessageField(props: Text) {
  return <Field {...props} label={t('send.message')} lines={2} maxLength={10_000} />
}

/** Download limit: a whole number, or empty for none. */
export function DownloadLimitField(props: Text) {
  return (
    <Field
      label={t('send.max_downloads')}
      type="number"
      inputMode="numeric"
      min={1}
      max={2 ** 31 - 1}
      hint={t('send.max_downloads_hint')}
      {...props}
    />
  )
}

/** Whether the owner gets emails about downloads; nothing without email. */
export function NotifyField(props: { readonly value: Editable<boolean> }) {
  return (
    sendsEmail() && (
      <Check label={t('send.notify')} hint={t('send.notify_hint')} checked={props.value} />
    )
  )
}

/** Custom link in the service's form (src/shares/changes/operations.ts). */
export function SlugField(props: Text & { readonly problem: string | undefined }) {
  return (
    <Field
      {...props}
      label={t('send.slug')}
      autoComplete="off"
      pattern="[A-Za-z0-9_\-]{3,50}"
      hint={t('send.slug_hint')}
    />
  )
}

/** Tells administrators alone why nothing offers to send email. */
export function NoMail() {
  if (sendsEmail() || !me.value?.is_admin) return null
  return (
    <p class="hint">
      {t('no_mail.text')} <a href="/admin/settings/mail">{t('no_mail.action')}</a>
    </p>
  )
}
