import { t } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/state.tsx'
import { Ring, UploadTotal } from '../../ui/upload-total.tsx'
import type { UploadSnapshot } from '../../upload/types.ts'
import { stopSending, type Sending } from './uploads.ts'

/** Progress of an upload, and what it needs from the user. */
export function Progress(props: {
  readonly sending: Sending
  readonly onStartOver?: () => void
  /** Unless the page shows it elsewhere. */
  readonly hasRing?: boolean
}) {
  const { sending, onStartOver, hasRing } = props
  const { upload, snapshot, signInError } = sending
  const now = snapshot.value
  const { phase, hold, totals } = now
  const isUploaded = totals.files > 0 && !needsFiles(now)
  if (phase === 'stopped') {
    return (
      <div class="problem" role="alert">
        <p>{t('send.stopped')}</p>
        <Button onClick={onStartOver ?? (() => stopSending(sending))}>
          {t(onStartOver ? 'send.start_over' : 'close')}
        </Button>
      </div>
    )
  }
  return (
    <>
      {phase === 'idle' ? (
        <div class="total">
          {isUploaded && <Ring percent={100} isDone />}
          <p role="status">{isUploaded && t('send.all_in')}</p>
        </div>
      ) : (
        hold !== 'sign_in' && <UploadTotal upload={upload} snapshot={now} hasRing={hasRing} />
      )}
      {hold === 'sign_in' && signInError.value !== null && (
        <Problem error={signInError.value} onRetry={() => upload.resume()} />
      )}
      {needsFiles(now) ? (
        <p class="notice">{t('send.pick_again')}</p>
      ) : (
        ['sending', 'waiting'].includes(phase) && <p class="hint">{t('send.keep_open')}</p>
      )}
    </>
  )
}

/** Whether files of an earlier visit must be selected again. */
export function needsFiles({ files }: UploadSnapshot): boolean {
  return files.some(({ state }) => state === 'missing')
}
