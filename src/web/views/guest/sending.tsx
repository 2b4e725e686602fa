import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { api } from '../../lib/api.ts'
import { branding } from '../../lib/branding.ts'
import { formatBytes, formatPercent } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { useSignal } from '../../lib/signals.ts'
import { Uploads } from '../../upload/browser.ts'
import type { Upload } from '../../upload/engine.ts'
import type { PickedFile, UploadRecord, UploadSnapshot } from '../../upload/types.ts'
import { Button } from '../../ui/button.tsx'
import { DropZone } from '../../ui/drop-zone.tsx'
import { FileRows } from '../../ui/file-rows.tsx'
import { Heading } from '../../ui/heading.tsx'
import * as icons from '../../ui/icons.ts'
import { PickingNotes, usePicking } from '../../ui/picking.tsx'
import { Problem } from '../../ui/state.tsx'
import { Head, TotalWords, Wait } from '../../ui/upload-total.tsx'
import { cancelDelivery } from './cancel-delivery.ts'
import { FileIcon } from '../../ui/file-icon.tsx'
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
  const { ownerName: owner, name } = props.request
  const title = (
    <>
      <p class="faint">{owner ? t('guest.sending_to', { owner }) : t('guest.sending')}</p>
      <Heading title={name} />
    </>
  )
  if (running) return <Progress {...running} title={title} onStartOver={onStartOver} />
  const isOpening = error === null && !isElsewhere
  return (
    <>
      <Head percent={0} title={title} />
      {isElsewhere && <p role="alert">{t('guest.elsewhere')}</p>}
      <Problem error={error} onRetry={begin} texts={{ closed: t('guest.is.closed') }} />
      {!isOpening && <Button onClick={() => onStartOver(files)}>{t('common.back')}</Button>}
    </>
  )
}

/** Begins or continues the delivery, and follows it to its end. */
function useDelivery({ request, files, sender, record, onDone }: SendingProps) {
  const running = useSignal<Running | null>(null)
  const error = useSignal<unknown>(null)
  const isElsewhere = useSignal(false)
  const open = async () => {
    const uploads = new Uploads()
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

function Progress(
  props: Running & Pick<SendingProps, 'onStartOver'> & { readonly title: ComponentChildren },
) {
  const { upload, snapshot, title, onStartOver } = props
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
  const isOver = code === 'closed' || code === 'expired'
  const isRemoved = snapshot.hold === 'removed'
  if (isOver || isRemoved || snapshot.phase === 'stopped') {
    return (
      <>
        <Head percent={snapshot.totals.percent} title={title} />
        {isOver ? (
          <p role="alert">{t(`guest.is.${code}`)}</p>
        ) : (
          <div class="problem" role="alert">
            <p>{t(isRemoved ? 'upload.hold.removed' : 'guest.stopped')}</p>
            <Button onClick={startOver}>{t('guest.start_over')}</Button>
          </div>
        )}
      </>
    )
  }
  return (
    <>
      <Head percent={snapshot.totals.percent} title={title}>
        <TotalWords {...{ upload, snapshot }} />
      </Head>
      <Wait {...{ upload, snapshot }} />
      {needsFiles && <p>{t('guest.pick_again')}</p>}
      {needsFiles || snapshot.hold === 'files' ? (
        <DropZone {...zone} look="row" />
      ) : (
        <p class="faint">{t('guest.open')}</p>
      )}
      <PickingNotes picking={picking} />
      <div>
        <FileRows
          files={snapshot.files}
          onRemove={(removed) => {
            for (const { id } of removed) upload.remove(id)
          }}
          onRetry={(id) => upload.retry(id)}
          icon={FileIcon}
        />
      </div>
    </>
  )
}

/** Shows progress in the window title, for users in another window. */
function useTitle(percent: number): void {
  useEffect(() => {
    document.title = `${formatPercent(percent / 100)} – ${branding.appName}`
  }, [percent])
}

/** The end: what has arrived, and how to speak about it. */
export function Done(props: {
  readonly request: RequestData
  readonly delivery: Delivery
  readonly onAgain: () => void
}) {
  const { ownerName: owner, once, hasExpired } = props.request
  const { files, bytes, thanks, reference } = props.delivery
  const arrived = { owner, n: files, size: formatBytes(bytes) }
  return (
    <>
      <Head
        percent={100}
        isDone
        title={
          <>
            <Heading title={t('guest.thanks')} />
            <p role="status">{t(owner ? 'guest.has' : 'guest.arrived', arrived)}</p>
          </>
        }
      />
      {thanks && (
        <p class="text" dir="auto">
          {thanks}
        </p>
      )}
      <p>
        {t('guest.reference', { reference })} {owner && t('guest.quote', { owner })}
      </p>
      {!once && !hasExpired && (
        <Button isWide icon={icons.add} onClick={props.onAgain}>
          {t('guest.again')}
        </Button>
      )}
    </>
  )
}
