import { useEffect, useRef } from 'preact/hooks'
import { api } from '../../lib/api.ts'
import { deleteLater, isDoomed } from '../../lib/deletion.ts'
import { editable } from '../../lib/editable.ts'
import { formatBytes, formatMoment } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { loadNews } from '../../lib/news.ts'
import { go } from '../../lib/router.ts'
import { listedPath, type ListedFile } from '../../lib/share.ts'
import { useSignal } from '../../lib/signals.ts'
import { nameOf } from '../../lib/tree.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Check } from '../../ui/field.tsx'
import { focusNeighbour } from '../../lib/focus.ts'
import * as icons from '../../ui/icons.ts'
import { Name } from '../../ui/name.tsx'
import { Empty, Problem, Show, useAction, useGet } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { FileTree } from '../shares/file-tree.tsx'
import { requestPath, type FileRequest } from './request.tsx'
import { groupBySender, timeOf, type Sent } from './senders.ts'

interface Delivery extends Sent {
  /** Reference that its guest can quote. */
  readonly reference: string
  readonly status: 'draft' | 'complete'
  readonly note: string
  /** Whether its sender was told that it may be shared. */
  readonly allowSharing: boolean
  readonly seen_at: string | null
  readonly files: readonly ListedFile[]
  readonly total_size: number
}

/** Archives with a damaged file are refused. */
const isWhole = ({ files }: Delivery) => !files.some(({ damaged }) => damaged)

/** Deliveries grouped by sender; emails link to one of them. */
export function Deliveries(props: {
  readonly request: FileRequest
  readonly wanted: string
  /** Called after a deletion. */
  readonly onDeleted: () => void
}) {
  const { request, wanted, onDeleted } = props
  const base = requestPath(request.id)
  const loaded = useGet<Delivery[]>(`${base}/deliveries`)
  useSeen(base, loaded.data)
  return (
    <Show loaded={loaded}>
      {(all) => {
        const isKept = ({ id }: Delivery) => !isDoomed(`${base}/deliveries/${id}`)
        const kept = all.filter(isKept)
        const complete = kept.filter(({ status }) => status === 'complete')
        if (kept.length === 0) {
          const isOpen = request.status === 'open'
          return <Empty text={t(isOpen ? 'requests.no_deliveries' : 'shares.no_files')} />
        }
        const bytes = complete.reduce((sum, { total_size: size }) => sum + size, 0)
        return (
          <div class="stack">
            {complete.length > 1 && complete.every(isWhole) && (
              <div>
                <ButtonLink kind="quiet" href={`${base}/download`} icon={icons.download} download>
                  {t('manage.download_all', { size: formatBytes(bytes) })}
                </ButtonLink>
              </div>
            )}
            {/* In the order of all deliveries, so that nothing moves when the newest is
                removed. */}
            {groupBySender(all).map(([key, deliveries]) => (
              <SenderCard
                key={key}
                {...{ base, wanted, onDeleted }}
                deliveries={deliveries.filter(isKept)}
              />
            ))}
          </div>
        )
      }}
    </Show>
  )
}

const isNew = ({ status, seen_at: seenAt }: Delivery) => status === 'complete' && !seenAt

/** Marks displayed deliveries as seen; they stay highlighted until the page is left. */
function useSeen(base: string, shown: readonly Delivery[] | null): void {
  useEffect(() => {
    const deliveries = (shown ?? []).filter(isNew).map(({ id }) => id)
    if (deliveries.length === 0) return
    const body = { deliveries: deliveries.slice(0, 1000) }
    // After a failure they are new the next time, too.
    api('POST', `${base}/seen`, { body }).then(loadNews, () => {})
  }, [shown])
}

/** What one sender has sent. */
function SenderCard(props: {
  readonly base: string
  readonly wanted: string
  readonly onDeleted: () => void
  readonly deliveries: readonly Delivery[]
}) {
  const { base, wanted, onDeleted, deliveries } = props
  const [newest] = deliveries
  if (!newest) return null
  const { sender_email: email } = newest
  const sender = senderOf(newest)
  return (
    <div class="stack sender">
      <div>
        <h2>
          <Name of={sender} />
        </h2>
        {email && email !== sender && <a href={`mailto:${email}`}>{email}</a>}
      </div>
      {deliveries.map((delivery) => (
        <OneDelivery
          key={delivery.id}
          {...{ base, delivery, onDeleted, sender }}
          isWanted={delivery.id === wanted}
        />
      ))}
    </div>
  )
}

const senderOf = ({ sender_name: name, sender_email: email }: Delivery) =>
  name || email || t('requests.unknown_sender')

function OneDelivery(props: {
  readonly base: string
  readonly delivery: Delivery
  readonly onDeleted: () => void
  readonly isWanted: boolean
  /** The name above it. */
  readonly sender: string
}) {
  const { base, delivery, onDeleted, isWanted, sender } = props
  const { id, note, files, total_size: bytes } = delivery
  const archive = `${base}/download?delivery=${id}`
  const card = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!isWanted) return
    card.current?.scrollIntoView()
    card.current?.focus()
  }, [isWanted])
  const from = t('requests.delivery_from', { name: senderOf(delivery) })
  const name = `${from}, ${formatMoment(timeOf(delivery))}`
  return (
    <article class={isWanted ? 'wanted' : undefined} ref={card} tabIndex={-1} aria-label={name}>
      <div class="row spread">
        <div class="row-tight">
          <h3>
            {senderOf(delivery) !== sender && <bdi>{senderOf(delivery)} · </bdi>}
            <Time at={timeOf(delivery)} />{' '}
            {isNew(delivery) && <span class="badge ok">{t('nav.new')}</span>}
          </h3>
          <p class="faint">
            {t('requests.reference', { reference: delivery.reference })}{' '}
            {delivery.status === 'draft' && (
              <>
                <span class="badge warn">{t('shares.state.interrupted')}</span>{' '}
                {bytes > 0 && formatBytes(bytes)}
              </>
            )}
          </p>
        </div>
        <div class="row quiets">
          {files.length > 1 && isWhole(delivery) && (
            <ButtonLink kind="quiet" href={archive} icon={icons.download} download>
              {t('manage.download_all', { size: formatBytes(bytes) })}
            </ButtonLink>
          )}
          {files.length > 0 && delivery.allowSharing && <ShareOn base={base} delivery={delivery} />}
          <Button
            kind="quiet"
            icon={icons.trash}
            label={`${t('manage.delete')}: ${name}`}
            onClick={({ currentTarget }) => {
              focusNeighbour(currentTarget as Element)
              const text = t('manage.deleted', { name })
              deleteLater({ paths: [`${base}/deliveries/${id}`], text, onDone: onDeleted })
            }}
          >
            {t('manage.delete')}
          </Button>
        </div>
      </div>
      {note && <p class="text">{note}</p>}
      {files.length > 0 && (
        <FileTree files={files} addressOf={(fileId) => `/api/reverse/files/${fileId}/download`} />
      )}
    </article>
  )
}

/** Makes a share of a delivery, or of some of its files. */
function ShareOn(props: { readonly base: string; readonly delivery: Delivery }) {
  const { base, delivery } = props
  const isOpen = useSignal(false)
  const close = () => (isOpen.value = false)
  return (
    <>
      <Button kind="quiet" icon={icons.link} onClick={() => (isOpen.value = true)}>
        {t('requests.share_on')}
      </Button>
      {isOpen.value && <Choice {...{ base, delivery }} onClose={close} />}
    </>
  )
}

/** Limit of the service for files by id, and enough for manual selection. */
const choiceMax = 200

function Choice(props: {
  readonly base: string
  readonly delivery: Delivery
  readonly onClose: () => void
}) {
  const { base, delivery, onClose } = props
  const { id, files } = delivery
  const left = useSignal<ReadonlySet<number>>(new Set())
  const action = useAction()
  const wanted = files.filter((file) => !left.value.has(file.id))
  const bytes = wanted.reduce((sum, { size }) => sum + size, 0)
  const toggle = (fileId: number) => {
    const next = new Set(left.value)
    if (!next.delete(fileId)) next.add(fileId)
    left.value = next
  }
  const share = async () => {
    const body = left.value.size > 0 ? { files: wanted.map((file) => file.id) } : {}
    const path = `${base}/deliveries/${id}/share`
    const { shareId } = await api<{ shareId: string }>('POST', path, { body })
    go(`/shares/${shareId}?new`)
  }
  return (
    <Dialog title={t('requests.share_on')} onClose={onClose}>
      <form class="stack" onSubmit={action.onSubmit(share)}>
        <p>{t('requests.share_on_text')}</p>
        {files.length > 1 && files.length <= choiceMax && (
          <div>
            {files.map((file) => (
              <Check
                key={file.id}
                label={<bdi>{listedPath(file).split('/').map(nameOf).join('/')}</bdi>}
                checked={editable(!left.value.has(file.id), () => toggle(file.id))}
              />
            ))}
          </div>
        )}
        <Problem error={action.error} texts={{ conflict: t('requests.share_busy') }} />
        <div class="actions">
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button
            kind="primary"
            type="submit"
            icon={icons.link}
            disabled={wanted.length === 0}
            busy={action.isBusy}
          >
            {t('requests.share_files', { n: wanted.length, size: formatBytes(bytes) })}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
