import { browserClock } from '../../lib/clock.ts'
import { isDoomed } from '../../lib/deletion.ts'
import { formatBytes, formatDay, formatPercent, formatRelative } from '../../lib/format.ts'
import { formatNumber, t } from '../../lib/i18n.ts'
import { listedPath, sharePath, type ListedFile, type Share } from '../../lib/share.ts'
import { nameOf } from '../../lib/tree.ts'
import * as time from '../../ui/time.tsx'
import { findSending, isAllIn } from '../send/uploads.ts'

/** A share in its owner's list. */
export interface OwnShare extends Share {
  readonly created_at: string
  /** People who have downloaded or previewed. */
  readonly download_count: number
  /** How many of them have only previewed. */
  readonly preview_count: number
  /** Whether a draft has all announced bytes. */
  readonly all_received: boolean
  readonly files: readonly ListedFile[]
}

/** A share in the list of all accounts. */
export interface AnyShare extends Omit<OwnShare, 'files' | 'preview_count'> {
  readonly file_count: number
  readonly damaged_files: number
  readonly owner: { readonly id: number; readonly email: string }
}

/** What every list of shares knows of each. */
type Counted = Omit<OwnShare, 'files' | 'preview_count'>

type State = keyof typeof badges

/** Ends a share and deletes its files. */
export const stopPath = (id: string) => `${sharePath(id)}/stop`

/** The state from the owner's point of view, which is finer than the service's. */
export function stateOf(share: Counted): State {
  const { id, status, expires_at: end, max_downloads: most } = share
  const now = new Date(browserClock.now())
  // Until the time for undo is over, the service has not ended it.
  if (status !== 'expired' && isDoomed(stopPath(id))) return 'ending'
  if (isWaiting(share)) return 'uploaded'
  if (findSending(id) || share.receiving) return 'uploading'
  if (status === 'draft') return 'interrupted'
  if (status === 'expired' || (end !== null && new Date(end) <= now)) return 'ended'
  if (most > 0 && share.download_count >= most) return 'used_up'
  if (end !== null && new Date(end).toDateString() === now.toDateString()) return 'today'
  return 'active'
}

/** Whether its owner can neither use nor change it. */
export const isOver = (share: Counted) => ['ending', 'ended'].includes(stateOf(share))

/** Whether only its link is missing: all has arrived, and nobody else knows of it. */
function isWaiting(share: Counted): boolean {
  const { id, status, published, all_received: isAllReceived } = share
  if (status !== 'draft' || published) return false
  const sending = findSending(id)
  return sending ? isAllIn(sending.snapshot.value) : isAllReceived
}

const badges = {
  uploading: 'badge ok',
  uploaded: 'badge warn',
  interrupted: 'badge warn',
  ending: 'badge warn',
  ended: 'badge',
  used_up: 'badge warn',
  today: 'badge warn',
  active: 'badge ok',
}

/** Whether it is a draft that this tab does not send, and that may continue here. */
export const isElsewhere = ({ id, status }: OwnShare) => status === 'draft' && !findSending(id)

/** When it ends; of ended shares only what has come to pass. */
export function Ends({ share }: { readonly share: Counted }) {
  const { expires_at: end } = share
  if (!isOver(share)) return <time.Ends at={end} isRow />
  if (!end || Date.parse(end) > browserClock.now()) return null
  return <>{`${t('shares.state.ended')}: ${formatDay(end)}`}</>
}

export function Badge({ share }: { readonly share: OwnShare | AnyShare }) {
  const state = stateOf(share)
  const now = findSending(share.id)?.snapshot.value
  const percent = now?.totals.percent ?? share.progress
  const isDamaged =
    'files' in share ? share.files.some(({ damaged }) => damaged) : share.damaged_files > 0
  return (
    <>
      {state !== 'active' && (
        <span class={badges[state]}>
          {t(`shares.state.${state}`)}
          {state !== 'uploaded' && percent !== null && ` ${formatPercent(percent / 100)}`}
          {now?.phase === 'paused' && ` · ${t('upload.paused')}`}
        </span>
      )}{' '}
      {isDamaged && <span class="badge warn">{t('file.damaged')}</span>}
    </>
  )
}

/** `5 files · 210 MB`; of a draft what it will have, if that is known. */
export function saySize(share: Counted, files: number) {
  const size = formatBytes(share.total_size || share.expectedBytes)
  if (share.status === 'complete') return `${t('common.files', { n: files })} · ${size}`
  return !isOver(share) && share.expectedBytes > 0 && size
}

/** `report.pdf +4` without a title. */
export function nameOfShare(share: {
  readonly name: string
  readonly files: readonly Pick<ListedFile, 'original_name' | 'archive_name'>[]
}): string {
  const { name, files } = share
  if (name) return name
  const [first, ...others] = files
  if (!first) return t('shares.unnamed')
  return nameOf(listedPath(first)) + (others.length > 0 ? ` +${formatNumber(others.length)}` : '')
}

const dayMs = 24 * 3_600_000

/** What an owner is told of a draft that nothing arrives for; recipients are told the same. */
export function sayStopped({ progress, last_received_at: lastAt }: OwnShare): string {
  if (lastAt === null) return t('shares.not_begun')
  const ago = formatRelative(lastAt)
  // As the service decides it (src/shares/progress.ts).
  if (browserClock.now() - Date.parse(lastAt) >= dayMs) return t('shares.abandoned', { ago })
  if (progress === null) return t('shares.paused', { ago })
  return t('shares.paused_at', { percent: formatPercent(progress / 100), ago })
}

/** How many people have opened it: `3 of 10 people`; empty if it was not opened. */
export function sayPeople({ download_count: n, max_downloads: most }: Counted): string {
  if (most > 0) return t('shares.people_of', { count: n, n: most })
  return n > 0 ? t('shares.people', { n }) : ''
}

/** `2 people opened files · 1 download`: looks at the page alone are not counted. */
export function sayOpened(share: OwnShare): string {
  const { download_count: n, preview_count: previews } = share
  if (n === 0 && share.max_downloads === 0) return t('activity.empty')
  const people = t('shares.opened', { people: sayPeople(share) || t('shares.people', { n }) })
  return `${people} · ${t('shares.downloads', { n: n - previews })}`
}

/** Why nobody else can download; null while they can. */
export function OverNotice({ share }: { readonly share: OwnShare }) {
  const state = stateOf(share)
  if (state === 'used_up') {
    return (
      <p class="notice">
        <a href={`/shares/${share.id}/settings`}>{t('shares.used_up')}</a>
      </p>
    )
  }
  return state === 'ended' && <p class="notice">{t('shares.ended')}</p>
}
