import type { ComponentChild } from 'preact'
import { api } from '../../lib/api.ts'
import { deleteLater } from '../../lib/deletion.ts'
import { formatBytes } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { countNews, loadNews } from '../../lib/news.ts'
import { me } from '../../lib/session.ts'
import * as time from '../../ui/time.tsx'

/** A field that guests may be required to fill in. */
export type RequiredField = 'name' | 'email' | 'note'

/** A file request as `GET /api/reverse` lists it; sizes in bytes, 0 for no limit. */
export interface FileRequest {
  readonly id: string
  readonly name: string
  readonly status: 'open' | 'closed' | 'expired'
  readonly max_size: number
  readonly created_at: string
  readonly expires_at: string | null
  readonly protected: boolean
  readonly notify_email: boolean
  readonly thank_you_message: string
  readonly instructions: string
  readonly allowed_extensions: readonly string[]
  readonly requiredFields: readonly RequiredField[]
  /** Whether the first complete delivery closes it, and when one did. */
  readonly once: boolean
  /** Whether new deliveries may be shared: their guests are told. */
  readonly allowSharing: boolean
  readonly closed_at: string | null
  readonly url: string
  readonly delivery_count: number
  readonly new_delivery_count: number
  readonly file_count: number
  readonly total_size: number
}

export const requestPath = (id: string) => `/api/reverse/${encodeURIComponent(id)}`

export async function listRequests(signal?: AbortSignal): Promise<FileRequest[]> {
  const all = await api<FileRequest[]>('GET', '/api/reverse', signal && { signal })
  countNews(all)
  return all
}

/** Can be undone for ten seconds. */
export function deleteRequest(request: FileRequest): void {
  const text = t('manage.deleted', { name: nameOfRequest(request) })
  deleteLater({ paths: [requestPath(request.id)], text, onDone: () => void loadNews() })
}

export const nameOfRequest = ({ name }: FileRequest) =>
  name || t('requests.unnamed', { name: me.value?.name ?? '' })

/** When its link ends, or ended. In a table the head of the column says the verb. */
export function Ends({ request, isRow }: { readonly request: FileRequest; isRow?: boolean }) {
  const { status, closed_at: closed, expires_at: at } = request
  if (closed) return <time.Ends at={closed} verb="requests.state.closed" />
  const verb = status === 'expired' ? 'requests.state.expired' : 'shares.expires'
  return <time.Ends {...{ at, verb, isRow }} />
}

/** `4 deliveries · 1.2 GB · 2 new` */
export function receivedOf(request: FileRequest): ComponentChild[] {
  const { delivery_count: n, total_size: bytes, new_delivery_count: news } = request
  return [
    t('requests.deliveries', { n }),
    n > 0 && formatBytes(bytes),
    news > 0 && <b>{`${news} ${t('nav.new')}`}</b>,
  ]
}

/** Why it takes no files; without a word for what is usual. */
export function Badge({ request }: { readonly request: FileRequest }) {
  const { status, max_size: most, total_size: bytes } = request
  const state = status === 'open' && most > 0 && bytes >= most ? 'full' : status
  if (state === 'open') return null
  return <span class="badge">{t(states[state])}</span>
}

const states = {
  closed: 'requests.state.closed',
  expired: 'requests.state.expired',
  full: 'shares.state.used_up',
} as const
