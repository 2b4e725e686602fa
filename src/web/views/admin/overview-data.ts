import { api } from '../../lib/api.ts'
import type { WaitingPerson } from './waiting.tsx'
import type { MailQueue, Status } from './status-facts.tsx'

export interface Day {
  /** `2030-12-31`, in UTC. */
  readonly day: string
  readonly received_bytes: number
  readonly sent_bytes: number
  /** Null before the first recorded day. */
  readonly stored_bytes: number | null
}

export interface Usage {
  readonly id: number
  readonly email: string
  readonly name: string
  readonly used_bytes: number
}

interface Place {
  /** Null for files of a file request. */
  readonly share: { readonly id: string; readonly name: string } | null
  readonly owner: { readonly email: string }
}

export interface Upload extends Place {
  readonly received_bytes: number
  readonly expected_bytes: number | null
}

export interface Download extends Place {
  readonly transfers: number
  readonly sent_bytes: number
  readonly total_bytes: number
}

export interface Running {
  readonly uploads: readonly Upload[]
  readonly downloads: readonly Download[]
}

export interface Overview {
  readonly days: readonly Day[]
  readonly open_reverse_shares: number
  readonly waiting: { readonly count: number; readonly first: readonly WaitingPerson[] }
  readonly accounts: readonly Usage[]
  readonly running: Running
}

export interface Dashboard {
  readonly status: Status
  readonly queue: MailQueue
  readonly overview: Overview
}

export async function loadDashboard(signal: AbortSignal): Promise<Dashboard> {
  const [status, queue, overview] = await Promise.all([
    api<Status>('GET', '/api/admin/status', { signal }),
    api<MailQueue>('GET', '/api/admin/mail?status=dead', { signal }),
    api<Overview>('GET', '/api/admin/overview', { signal }),
  ])
  return { status, queue, overview }
}
