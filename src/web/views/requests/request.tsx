import { api } from '../../lib/api.ts'
import { formatBytes } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'

/** A file request as `GET /api/reverse` lists it; sizes in bytes, 0 for no limit. */
export interface FileRequest {
  readonly id: string
  readonly name: string
  readonly status: 'open' | 'expired'
  readonly max_size: number
  readonly created_at: string
  readonly expires_at: string | null
  readonly protected: boolean
  readonly notify_email: boolean
  readonly thank_you_message: string
  readonly url: string
  readonly delivery_count: number
  readonly file_count: number
  readonly total_size: number
}

export const requestPath = (id: string) => `/api/reverse/${encodeURIComponent(id)}`

export const listRequests = (signal: AbortSignal) =>
  api<FileRequest[]>('GET', '/api/reverse', { signal })

export const nameOfRequest = ({ name }: FileRequest) => name || t('requests.unnamed')

/** `4 deliveries · 1.2 GB` */
export function sayReceived({ delivery_count: n, total_size: bytes }: FileRequest): string {
  const deliveries = t('requests.deliveries', { n })
  return n > 0 ? `${deliveries} · ${formatBytes(bytes)}` : deliveries
}

export function Badge({ request }: { readonly request: FileRequest }) {
  const { status } = request
  return (
    <span class={status === 'open' ? 'badge ok' : 'badge'}>{t(`requests.state.${status}`)}</span>
  )
}
