import { useEffect, useRef } from 'preact/hooks'
import { api } from '../../lib/api.ts'
import { deleteLater, isDoomed } from '../../lib/deletion.ts'
import { member } from '../../lib/editable.ts'
import { formatBytes, formatMoment } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { loadNews } from '../../lib/news.ts'
import { go } from '../../lib/router.ts'
import { listedPath, type ListedFile } from '../../lib/share.ts'
import { useSignal } from '../../lib/signals.ts'
import { nameOf } from '../../lib/tree.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Check } from '../../ui/field.tsx'
import { focusNeighbour } from '../../lib/focus.ts'
import { Fold } from '../../ui/fold.tsx'
import { FormDialog } from '../../ui/form.tsx'
import * as icons from '../../ui/icons.ts'
import { Menu } from '../../ui/menu.tsx'
import { Name } from '../../ui/name.tsx'
import { Empty, Show, useGet } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { FileTree } from '../shares/file-tree.tsx'
import { requestPath, type FileRequest } from './request.tsx'

interface Delivery {
  readonly id: string
  /** As typed by the guest; may be empty. */
  readonly sender_name: string
  readonly sender_email: string
  readonly created_at: string
  readonly finalized_at: string | null
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

/** Deliveries, newest first, unfinished ones last; emails link to one of them. */
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
        const kept = all
          .filter(({ id }) => !isDoomed(`${base}/deliveries/${id}`))
          .toSorted((one, other) => timeOf(other).localeCompare(timeOf(one)))
        const complete = kept.filter(isComplete)
        const drafts = kept.filter((delivery) => !isComplete(delivery))
        const count = t('requests.deliveries', { n: drafts.length })
        const files = complete.flatMap((delivery) => delivery.files)
        const bytes = complete.reduce((sum, { total_size: size }) => sum + size, 0)
        const one = (delivery: Delivery) => (
          <OneDelivery
            key={delivery.id}
            {...{ base, delivery, onDeleted }}
            isWanted={delivery.id === wanted}
          />
        )
        return (
          <div class="stack deliveries">
            {files.length > 1 && complete.every(isWhole) && (
              <ButtonLink kind="primary" href={`${base}/download`} icon={icons.download} download>
                {t('manage.download_all', { size: formatBytes(bytes) })}
              </ButtonLink>
            )}
            {complete.length === 0 && (
              <Empty
                text={t(request.status === 'open' ? 'requests.no_deliveries' : 'shares.no_files')}
              />
            )}
            {complete.map(one)}
            {drafts.length > 0 && (
              <Fold
                isOpen={drafts.some(({ id }) => id === wanted)}
                text={`${t('shares.state.interrupted')} · ${count}`}
              >
                <div>{drafts.map(one)}</div>
              </Fold>
            )}
          </div>
        )
      }}
    </Show>
  )
}

const timeOf = ({ finalized_at: end, created_at: begin }: Delivery) => end ?? begin
const isComplete = ({ status }: Delivery) => status === 'complete'
const isNew = (delivery: Delivery) => isComplete(delivery) && !delivery.seen_at

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

const senderOf = ({ sender_name: name, sender_email: email }: Delivery) =>
  name || email || t('requests.unknown_sender')

function About(delivery: Delivery) {
  const { sender_email: email, files, total_size: bytes, reference } = delivery
  const facts = [
    email && email !== senderOf(delivery) && (
      <a href={`mailto:${email}`}>
        <Name of={email} />
      </a>
    ),
    <Time at={timeOf(delivery)} />,
    files.length > 0 && t('common.files', { n: files.length }),
    bytes > 0 && formatBytes(bytes),
    t('requests.reference', { reference }),
  ]
  return (
    <p class="faint">
      <Facts facts={facts} />
    </p>
  )
}

function OneDelivery(props: {
  readonly base: string
  readonly delivery: Delivery
  readonly onDeleted: () => void
  readonly isWanted: boolean
}) {
  const { base, delivery, onDeleted, isWanted } = props
  const { id, note, files } = delivery
  const isSharing = useSignal(false)
  const card = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!isWanted) return
    card.current?.scrollIntoView()
    card.current?.focus()
  }, [isWanted])
  const sender = senderOf(delivery)
  const from = t('requests.delivery_from', { name: sender })
  const name = `${from}, ${formatMoment(timeOf(delivery))}`
  return (
    <article class={isWanted ? 'stack wanted' : 'stack'} ref={card} tabIndex={-1} aria-label={name}>
      <div class="row spread delivery">
        <h2>
          <Name of={sender} /> {isNew(delivery) && <span class="badge ok">{t('nav.new')}</span>}
        </h2>
        <About {...delivery} />
        <span class="row-tight">
          {files.length > 1 && isWhole(delivery) && (
            <ButtonLink
              kind="quiet"
              href={`${base}/download?delivery=${id}`}
              icon={icons.download}
              download
            >
              {t('common.download')}
            </ButtonLink>
          )}
          <Menu label={t('manage.more', { name })}>
            {files.length > 0 && delivery.allowSharing && (
              <Button kind="quiet" icon={icons.link} onClick={() => (isSharing.value = true)}>
                {t('requests.share_on')}
              </Button>
            )}
            <Button
              kind="danger"
              icon={icons.trash}
              onClick={() => {
                focusNeighbour(card.current!)
                const text = t('manage.deleted', { name })
                deleteLater({ paths: [`${base}/deliveries/${id}`], text, onDone: onDeleted })
              }}
            >
              {t('manage.delete')}
            </Button>
          </Menu>
        </span>
      </div>
      {note && <p class="text">{note}</p>}
      {files.length > 0 && (
        <FileTree files={files} addressOf={(fileId) => `/api/reverse/files/${fileId}/download`} />
      )}
      {isSharing.value && (
        <Choice {...{ base, delivery }} onClose={() => (isSharing.value = false)} />
      )}
    </article>
  )
}

/** Limit of the service for files by id, and enough for manual selection. */
const choiceMax = 200

/** Makes a share of a delivery, or of some of its files. */
function Choice(props: {
  readonly base: string
  readonly delivery: Delivery
  readonly onClose: () => void
}) {
  const { base, delivery, onClose } = props
  const { id, files } = delivery
  const ids = files.map((file) => file.id)
  const chosen = useSignal(ids)
  const isAll = chosen.value.length === ids.length
  const wanted = isAll ? files : files.filter((file) => chosen.value.includes(file.id))
  const bytes = wanted.reduce((sum, { size }) => sum + size, 0)
  const share = async () => {
    const body = isAll ? {} : { files: chosen.value }
    const path = `${base}/deliveries/${id}/share`
    const { shareId } = await api<{ shareId: string }>('POST', path, { body })
    go(`/shares/${shareId}?new`)
  }
  return (
    <FormDialog
      title={t('requests.share_on')}
      action={t('requests.share_files', { n: wanted.length, size: formatBytes(bytes) })}
      disabled={wanted.length === 0}
      texts={{ conflict: t('requests.share_busy') }}
      onSubmit={share}
      onClose={onClose}
    >
      <p>{t('requests.share_on_text')}</p>
      {files.length > 1 && files.length <= choiceMax && (
        <div>
          {files.map((file) => (
            <Check
              key={file.id}
              label={<bdi>{listedPath(file).split('/').map(nameOf).join('/')}</bdi>}
              checked={member(chosen, file.id)}
            />
          ))}
        </div>
      )}
    </FormDialog>
  )
}
