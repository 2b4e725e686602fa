import { browserClock } from '../../lib/clock.ts'
import { isDoomed } from '../../lib/deletion.ts'
import { formatPercent, formatRelative } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { listedPath, sharePath, type ListedFile, type Share } from '../../lib/share.ts'
import { findSending } from '../send/uploads.ts'

/** A share in its owner's list. */
export interface OwnShare extends Share {
  readonly created_at: string
  readonly download_count: number
  readonly files: readonly ListedFile[]
}

type State = 'uploading' | 'interrupted' | 'ended' | 'used_up' | 'today' | 'active'

/** Ends a share and deletes its files. */
export const stopPath = (id: string) => `${sharePath(id)}/stop`

/** The state from the owner's point of view, which is finer than the service's. */
export function stateOf(share: OwnShare): State {
  const { id, status, expires_at: end, max_downloads: most } = share
  const now = new Date(browserClock.now())
  if (isDoomed(stopPath(id))) return 'ended'
  if (findSending(id) || share.receiving) return 'uploading'
  if (status === 'draft') return 'interrupted'
  if (status === 'expired' || (end !== null && new Date(end) <= now)) return 'ended'
  if (most > 0 && share.download_count >= most) return 'used_up'
  if (end !== null && new Date(end).toDateString() === now.toDateString()) return 'today'
  return 'active'
}

const kinds = {
  uploading: 'badge ok',
  interrupted: 'badge warn',
  ended: 'badge',
  used_up: 'badge danger',
  today: 'badge warn',
  active: 'badge ok',
}

/** Whether it is a draft that this tab does not send, and that may continue here. */
export const isElsewhere = ({ id, status }: OwnShare) => status === 'draft' && !findSending(id)

export function Badge({ share }: { readonly share: OwnShare }) {
  const state = stateOf(share)
  const totals = findSending(share.id)?.snapshot.value.totals
  const percent = totals?.percent ?? (share.receiving ? share.progress : null)
  return (
    <>
      <span class={kinds[state]}>
        {t(`shares.state.${state}`)}
        {percent !== null && ` ${formatPercent(percent / 100)}`}
      </span>{' '}
      {share.files.some(({ damaged }) => damaged) && (
        <span class="badge warn">{t('file.damaged')}</span>
      )}
    </>
  )
}

export const nameOfShare = ({ name, files }: OwnShare) =>
  name || (files[0] && listedPath(files[0])) || t('shares.unnamed')

/** What an owner is told of a draft that nothing arrives for; recipients are told the same. */
export function sayStopped({ progress, last_received_at: lastAt }: OwnShare): string {
  if (lastAt === null) return t('shares.not_begun')
  const ago = formatRelative(lastAt)
  if (progress === null) return t('shares.paused', { ago })
  return t('shares.paused_at', { percent: formatPercent(progress / 100), ago })
}

/** `3 of 10`, or `3` without a limit. */
export function sayDownloads({ download_count: n, max_downloads: most }: OwnShare): string {
  return most > 0 ? t('shares.downloads_of', { n, most }) : t('shares.downloads', { n })
}
