import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../lib/api.ts'
import { branding } from '../../lib/branding.ts'
import { formatPercent } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { openUploads } from '../../upload/browser.ts'
import type { PickedFile, Upload, UploadRecord, UploadSnapshot } from '../../upload/types.ts'
import { Button } from '../../ui/button.tsx'
import { DropZone } from '../../ui/drop-zone.tsx'
import { FileRows } from '../../ui/file-rows.tsx'
import { Heading } from '../../ui/heading.tsx'
import { PickingNotes, usePicking } from '../../ui/picking.tsx'
import { Loading, Problem } from '../../ui/state.tsx'
import { UploadTotal } from '../../ui/upload-total.tsx'
import { cancelDelivery } from './cancel-delivery.ts'
import type { Sender } from './choose.tsx'
import type { RequestData } from './request.ts'

/** A complete delivery. */
export interface Delivery {
  readonly files: number
  readonly bytes: number
  /** Message of the owner; may be empty. */
  readonly thanks: string
  /** Reference that guest and owner can quote. */
  readonly reference: string
}

export interface SendingProps {
  readonly request: RequestData
  readonly files: readonly PickedFile[]
  /** Null when an upload continues, because the service has it. */
  readonly sender: Sender | null
  /** Record of the continued upload. */
  readonly record: UploadRecord | null
  readonly onDone: (delivery: Delivery) => void
  readonly onStartOver: (files: readonly PickedFile[]) => void
}

interface Running {
  readonly upload: Upload
  readonly snapshot: UploadSnapshot
}

export function Sending(props: SendingProps) {
  const { files, onStartOver } = props
  const { running, error, isElsewhere, begin } = useDelivery(props)
  return (
    <>
      <Heading title={t('guest.sending')} />
      {running ? (
        <Progress {...running} onStartOver={onStartOver} />
      ) : error === null && !isElsewhere ? (
        <Loading />
      ) : (
        <>
          {isElsewhere ? (
            <p role="alert">{t('guest.elsewhere')}</p>
          ) : (
            <Problem error={error} onRetry={begin} texts={{ closed: t('guest.is.closed') }} />
          )}
          <div>
            <Button onClick={() => onStartOver(files)}>{t('back')}</Button>
          </div>
        </>
      )}
    </>
  )
}

/** Begins or continues the delivery, and follows it to its end. */
function useDelivery({ request, files, sender, record, onDone }: SendingProps) {
  const running = useSignal<Running | null>(null)
  const error = useSignal<unknown>(null)
  const isElsewhere = useSignal(false)
  const open = async () => {
    const uploads = openUploads()
    let upload: Upload | null = null
    const show = () => upload && (running.value = { upload, snapshot: upload.snapshot() })
    const limits = { chunkBytesMax: request.chunkBytesMax }
    if (record)
      upload = await uploads.resume({ target: record.target, limits, onChange: show }, record)
    else {
      const base = `/api/public/reverse/${request.id}/init`
      // What this page has said, even if the request has changed since.
      const body = { ...sender, allowSharing: request.allowSharing }
      const { uploadToken } = await api<{ uploadToken: string }>('POST', base, { body })
      const target = { kind: 'delivery', reverseId: request.id, uploadToken } as const
      upload = uploads.begin({ target, limits, onChange: show })
      upload.add(files)
    }
    if (!upload) return void (isElsewhere.value = true)
    show()
    const again = record ? await uploads.reopen(record) : []
    if (again.length > 0) {
      upload.add(again)
      upload.resume()
    }
    const { thankYouMessage: thanks = '', reference = '' } = await upload.complete()
    const { totals } = upload.snapshot()
    onDone({ files: totals.filesDone, bytes: totals.bytes, thanks, reference })
  }
  const begin = () => {
    error.value = null
    // Once it runs, its snapshot has the errors.
    open().catch((failure: unknown) => (error.value = failure))
  }
  useEffect(begin, [])
  return { running: running.value, error: error.value, isElsewhere: isElsewhere.value, begin }
}

function Progress(props: Running & Pick<SendingProps, 'onStartOver'>) {
  const { upload, snapshot, onStartOver } = props
  const { picking, ...zone } = usePicking((files) => {
    upload.add(files)
    upload.resume()
  })
  const needsFiles =
    snapshot.totals.files === 0 ||
    snapshot.files.some(({ state }) => state === 'missing' || state === 'changed')
  const startOver = () => {
    const selection = upload.selection()
    upload.cancel()
    void cancelDelivery(upload.target)
    onStartOver(selection)
  }
  useTitle(snapshot.totals.percent)
  const code = snapshot.problem?.code
  if (code === 'closed' || code === 'expired') {
    return <p role="alert">{t(`guest.is.${code}`)}</p>
  }
  if (snapshot.phase === 'stopped' || snapshot.hold === 'removed') {
    return (
      <div class="problem" role="alert">
        <p>{t(snapshot.hold === 'removed' ? 'upload.hold.removed' : 'guest.stopped')}</p>
        <Button onClick={startOver}>{t('guest.start_over')}</Button>
      </div>
    )
  }
  return (
    <>
      <UploadTotal upload={upload} snapshot={snapshot} />
      {needsFiles ? (
        <>
          <p>{t('guest.pick_again')}</p>
          <DropZone {...zone} look="row" />
        </>
      ) : (
        <p class="hint">{t('guest.open')}</p>
      )}
      <PickingNotes picking={picking} />
      <FileRows
        files={snapshot.files}
        onRemove={(removed) => {
          for (const { id } of removed) upload.remove(id)
        }}
        onRetry={(id) => upload.retry(id)}
      />
    </>
  )
}

/** Shows progress in the window title, for users in another window. */
function useTitle(percent: number): void {
  useEffect(() => {
    document.title = `${formatPercent(percent / 100)} – ${branding.appName}`
  }, [percent])
}
