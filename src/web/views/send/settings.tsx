import { useEffect, useRef } from 'preact/hooks'
import { editable, type Editable } from '../../lib/editable.ts'
import { t, type TextKey } from '../../lib/i18n.ts'
import type { Limits } from '../../lib/limits.ts'
import { sendsEmail } from '../../lib/page-data.ts'
import { ExpiryField } from '../../ui/expiry-field.tsx'
import { Icon } from '../../ui/icon.tsx'
import * as icons from '../../ui/icons.ts'
import { PasswordSwitch } from '../../ui/password-switch.tsx'
import * as fields from '../../ui/share-fields.tsx'
import { Recipients } from '../../ui/recipients.tsx'
import { AudienceField, ProofField } from '../people/audience.tsx'
import { changeSettings as change, isPasswordLost, settings } from './draft-settings.ts'
import type { DraftSettings } from './draft-settings.ts'

/** A setting with a default that the user's choice replaces. */
function setting<Key extends keyof DraftSettings>(key: Key): Editable<DraftSettings[Key]> {
  return editable(settings.value[key], (value) => change({ [key]: value }))
}

/** Whether emails are wanted, which bring the message. */
const isAddressed = () => sendsEmail() && settings.value.recipients !== ''

/** Recipients, and a message to them, above everything else where email can be sent. */
export function Addressing() {
  return (
    sendsEmail() && (
      <>
        <Recipients required={settings.value.audience === 'named'} value={setting('recipients')} />
        {isAddressed() && <fields.MessageField value={setting('message')} />}
      </>
    )
  )
}

/** Settings of a share before it is sent; none is required. */
export function Settings(props: {
  readonly limits: Limits | null
  /** Error of the custom link. */
  readonly slugProblem: string | undefined
}) {
  const { limits, slugProblem } = props
  const { expiry, message, maxDownloads, slug, notifyDownloads } = settings.value
  // What is set is never hidden.
  const options = useRef<HTMLDetailsElement>(null)
  const hasMessage = !isAddressed()
  const isNamed = settings.value.audience === 'named'
  const isSet =
    isNamed || notifyDownloads || [hasMessage && message, maxDownloads, slug].some((value) => value)
  useEffect(() => {
    if (isSet || slugProblem) options.current!.open = true
  }, [isSet, slugProblem])
  const inside = ['audience', hasMessage && 'message', 'maxDownloads', !isNamed && 'slug']
  return (
    <>
      {limits && expiry && (
        <ExpiryField
          limits={limits}
          value={editable(expiry, (value) => change({ expiry: value }))}
        />
      )}
      <div class="options">
        <PasswordSwitch
          value={setting('password')}
          hint={
            isPasswordLost() ? t('send.password_again') : isAddressed() && t('send.behind_password')
          }
        />
        <details
          ref={options}
          class="fold"
          // So that the user sees why the form is not sent.
          onInvalidCapture={(event) => (event.currentTarget.open = true)}
        >
          <summary>
            {t('send.more')}
            <span class="faint wide-only">
              {inside
                .filter(Boolean)
                .map((name) => t(`send.inside.${name}` as TextKey))
                .join(', ')}
            </span>
            <Icon path={icons.next} />
          </summary>
          <div class="stack">
            <AudienceField value={setting('audience')} />
            {isNamed && <ProofField value={setting('recipientProof')} />}
            {isNamed && !sendsEmail() && <Recipients required value={setting('recipients')} />}
            {hasMessage && <fields.MessageField value={setting('message')} />}
            <fields.NotifyField value={setting('notifyDownloads')} />
            <fields.DownloadLimitField value={setting('maxDownloads')} />
            {!isNamed && <fields.SlugField problem={slugProblem} value={setting('slug')} />}
            <fields.NoMail />
          </div>
        </details>
      </div>
    </>
  )
}
