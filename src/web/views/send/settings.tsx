import { useEffect, useRef } from 'preact/hooks'
import { editable, type Editable } from '../../lib/editable.ts'
import { t } from '../../lib/i18n.ts'
import type { Limits } from '../../lib/limits.ts'
import { sendsEmail } from '../../lib/page-data.ts'
import { generatePassword } from '../../lib/password.ts'
import { Button } from '../../ui/button.tsx'
import { ExpiryField } from '../../ui/expiry-field.tsx'
import { Check, Field } from '../../ui/field.tsx'
import { NoMail } from '../../ui/no-mail.tsx'
import { Recipients } from '../../ui/recipients.tsx'
import { DownloadLimitField, MessageField, NotifyField, SlugField } from '../../ui/share-fields.tsx'
import { begun, changeSettings as change, origins, settings } from './draft-settings.ts'
import type { DraftSettings } from './draft-settings.ts'

/** A setting with a default that the user's choice replaces. */
function setting<Key extends keyof DraftSettings>(key: Key): Editable<DraftSettings[Key]> {
  return editable(settings.value[key], (value) => change({ [key]: value }))
}

/** Settings of a share before it is sent; none is required. */
export function Settings(props: {
  readonly limits: Limits | null
  /** Error of the custom link. */
  readonly slugProblem: string | undefined
}) {
  const { limits, slugProblem } = props
  const { expiry, message, maxDownloads, slug, recipients, notifyDownloads } = settings.value
  // What is set is never hidden.
  const options = useRef<HTMLDetailsElement>(null)
  const isSet =
    notifyDownloads || [message, maxDownloads, slug, recipients].some((value) => value !== '')
  useEffect(() => {
    if (isSet || slugProblem) options.current!.open = true
  }, [isSet, slugProblem])
  return (
    <div class="stack">
      <Field label={t('send.title_field')} maxLength={200} value={setting('name')} />
      {limits && expiry && (
        <ExpiryField
          limits={limits}
          value={editable(expiry, (value) => change({ expiry: value }))}
        />
      )}
      <Password />
      <Origins />
      <details
        ref={options}
        class="options"
        // So that the user sees why the form is not sent.
        onInvalidCapture={(event) => (event.currentTarget.open = true)}
      >
        <summary>{t('send.more')}</summary>
        <div class="stack">
          <MessageField value={setting('message')} />
          {/* Invalid recipients do not block the link: they can be corrected afterwards. */}
          {sendsEmail() && <Recipients mayBeWrong value={setting('recipients')} />}
          <NotifyField value={setting('notifyDownloads')} />
          <DownloadLimitField value={setting('maxDownloads')} />
          <SlugField problem={slugProblem} value={setting('slug')} />
          <NoMail />
        </div>
      </details>
    </div>
  )
}

/** Where initial values come from. */
function Origins() {
  const said = (['preferences', 'last'] as const).flatMap((origin) => {
    const fields = begun.filter((field) => origins.value[field] === origin)
    const list = fields.map((field) => t(`send.origin.${field}`)).join(', ')
    return list ? [t(`send.from_${origin}`, { list })] : []
  })
  if (said.length === 0) return null
  return (
    <p class="hint">
      {said.join(' ')} <a href="/account">{t('ready.change')}</a>
    </p>
  )
}

function Password() {
  const { password } = settings.value
  return (
    <>
      <Check
        label={t('send.password')}
        checked={editable(password !== null, (isOn) => change({ password: isOn ? '' : null }))}
      />
      {password !== null && (
        <>
          <Field
            label={t('password')}
            type="password"
            autoComplete="new-password"
            required
            maxLength={256}
            value={editable(password, (value) => change({ password: value }))}
          />
          <div>
            <Button onClick={() => change({ password: generatePassword() })}>
              {t('send.generate')}
            </Button>
          </div>
        </>
      )}
    </>
  )
}
