import { useEffect, useMemo } from 'preact/hooks'
import { branding } from '../../lib/branding.ts'
import { copyText } from '../../lib/clipboard.ts'
import { t } from '../../lib/i18n.ts'
import { me } from '../../lib/session.ts'
import { useSignal } from '../../lib/signals.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Check } from '../../ui/field.tsx'
import { Heading } from '../../ui/heading.tsx'
import * as icons from '../../ui/icons.ts'
import { LeaveGuard } from '../../ui/leave-guard.tsx'

/** Shown only once: the user must confirm that they are stored. */
export function RecoveryCodes(props: {
  /** Message about the preceding change. */
  readonly news: string
  readonly codes: readonly string[]
  readonly onDone: () => void
}) {
  const isKept = useSignal(false)
  const said = useSignal('')
  const text = [`${branding.appName}, ${me.value?.email}`, '', ...props.codes, ''].join('\n')
  const file = useTextFile(text)
  const copy = async () => {
    said.value = t((await copyText(text)) ? 'common.copied' : 'codes.copy_by_hand')
  }
  return (
    <>
      <Heading title={t('codes.title')} />
      <p>
        {props.news} {t('codes.text')}
      </p>
      <ul class="codes">
        {props.codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="row">
        <Button icon={icons.copy} onClick={copy}>
          {t('common.copy')}
        </Button>
        <ButtonLink icon={icons.download} href={file} download="recovery-codes.txt">
          {t('common.download')}
        </ButtonLink>
        <Button onClick={() => print()}>{t('codes.print')}</Button>
      </div>
      <p class="hint" role="status">
        {said.value}
      </p>
      <Check label={t('codes.kept')} checked={isKept} />
      <div class="actions">
        <Button kind="primary" disabled={!isKept.value} onClick={props.onDone}>
          {t('select.end')}
        </Button>
      </div>
      {!isKept.value && (
        <LeaveGuard title={t('codes.leave_title')} action={t('codes.leave')}>
          {t('codes.leave_text')}
        </LeaveGuard>
      )}
    </>
  )
}

/** The object URL of a text file, revoked when the view is removed. */
function useTextFile(text: string): string {
  const address = useMemo(() => URL.createObjectURL(new Blob([text], { type: 'text/plain' })), [])
  useEffect(() => () => URL.revokeObjectURL(address), [])
  return address
}
