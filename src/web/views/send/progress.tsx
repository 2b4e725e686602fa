import type { ComponentChildren } from 'preact'
import { t } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { FileButton, FolderButton, type DropZoneProps } from '../../ui/drop-zone.tsx'
import { Problem } from '../../ui/state.tsx'
import { Head, TotalWords, Wait } from '../../ui/upload-total.tsx'
import type { UploadSnapshot } from '../../upload/types.ts'
import { isAllIn, stopSending, type Sending } from './uploads.ts'

/** The head of the card: progress of an upload, and what it needs from the user. */
export function Progress(props: {
  /** Null until it begins. */
  readonly sending: Sending | null
  /** What the card is about. */
  readonly title?: ComponentChildren
  readonly onStartOver?: () => void
  /** Whether it has a link already. */
  readonly isPublic?: boolean
  /** What it misses, if its view knows better, and bytes of files that its list lacks. */
  readonly notice?: ComponentChildren
  readonly unlisted?: number
}) {
  const { sending, title, onStartOver, isPublic, notice, unlisted = 0 } = props
  const now = sending && withUnlisted(sending.snapshot.value, unlisted)
  const isMoving = now && now.hold !== 'sign_in' && !['idle', 'stopped'].includes(now.phase)
  const isUploaded = now?.phase === 'idle' && !notice && isAllIn(now)
  const name = sending?.name.value ?? ''
  const said = isUploaded && (isPublic ? t('send.uploaded', { name }) : t('send.all_in'))
  const rest = isMoving && { upload: sending.upload, snapshot: now }
  return (
    <>
      {/* In one place in every phase: the title may be being edited. */}
      <Head percent={now?.totals.percent ?? 0} isDone={isUploaded} title={title}>
        {rest ? <TotalWords {...rest} /> : <p role="status">{said}</p>}
      </Head>
      {rest && <Wait {...rest} />}
      {sending && now?.phase === 'stopped' && (
        <div class="problem" role="alert">
          <p>{t('send.stopped')}</p>
          <Button onClick={onStartOver ?? (() => stopSending(sending))}>
            {t(onStartOver ? 'send.start_over' : 'common.close')}
          </Button>
        </div>
      )}
      {sending && now?.hold === 'sign_in' && sending.signInError.value !== null && (
        <Problem error={sending.signInError.value} onRetry={() => sending.upload.resume()} />
      )}
      {notice || (now && needsFiles(now) && <p class="notice">{t('send.pick_again')}</p>)}
    </>
  )
}

function withUnlisted(now: UploadSnapshot, unlisted: number): UploadSnapshot {
  if (unlisted === 0) return now
  const bytes = now.totals.bytes + unlisted
  const percent = Math.floor((100 * now.totals.bytesDone) / bytes)
  return { ...now, totals: { ...now.totals, bytes, percent } }
}

/** Asks for the files of an earlier visit, with the buttons that choose them. */
export function PickAgain(props: {
  readonly zone: Pick<DropZoneProps, 'onFiles' | 'onHandles'>
  readonly children?: ComponentChildren
}) {
  const { zone, children } = props
  return (
    <div class="notice stack-tight">
      <p>
        {t('send.pick_again')} {children}
      </p>
      <div class="row">
        <FileButton text={t('send.choose')} look="button primary" {...zone} />
        <FolderButton text={t('drop.or_folder')} {...zone} />
      </div>
    </div>
  )
}

/** Whether files of an earlier visit must be selected again. */
export function needsFiles({ files }: UploadSnapshot): boolean {
  return files.some(({ state }) => state === 'missing')
}
