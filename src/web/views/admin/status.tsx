import type { ComponentChildren } from 'preact'
import { formatBytes } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { api } from '../../lib/api.ts'
import type { ManagedUser } from './user.ts'
import type { WaitingPerson } from './waiting.tsx'

export interface Disk {
  readonly free_bytes: number
  readonly total_bytes: number
  readonly floor_bytes: number
}

export interface Status {
  readonly version: string
  readonly uptime_seconds: number
  readonly database: {
    readonly embedded: boolean
    readonly bytes: number
    readonly disk: Disk | null
  }
  /** Null for a bucket, and if it is missing. */
  readonly disk: Disk | null
  readonly uploads: 'ok' | 'disk_full' | 'unavailable'
  readonly storage: {
    readonly used_bytes: number
    readonly stuck: number
    readonly stuck_containers: readonly { readonly last_error: string }[]
    readonly check: DamageCounts | null
  }
  readonly verify: { readonly last: VerifyRun | null }
  readonly clock: { readonly ahead_seconds: number; readonly waits_until: string | null }
  readonly jobs: readonly {
    readonly name: string
    readonly last_run_at: string | null
    readonly last_duration_ms: number | null
    readonly last_error: string | null
    readonly failing: number
  }[]
  readonly counts: { readonly users: number; readonly drafts: number; readonly shares: number }
}

interface DamageCounts {
  readonly missing: number
  readonly short: number
  readonly orphaned: number
}

interface VerifyRun {
  readonly finished_at: string | null
  readonly checked_bytes: number
  readonly counts: DamageCounts & { readonly rotten: number }
}

export interface DeadMail {
  readonly id: string
  readonly to: string
  readonly last_error: string
  readonly dead_at: string
}

export interface MailQueue {
  readonly mail: 'configured' | 'not configured'
  readonly queued: number
  readonly dead: number
  readonly mails: readonly DeadMail[]
}

/** How much of the disk is free, in words and as a bar. */
export function FreeSpace({ disk }: { readonly disk: Disk }) {
  const { total_bytes: all, free_bytes: free } = disk
  return (
    <Fact name={t('overview.free')}>
      <strong>{formatBytes(free)}</strong>
      <span class="hint">{t('overview.of_all', { all: formatBytes(all) })}</span>
      <progress aria-hidden="true" value={free} max={all} />
    </Fact>
  )
}

export function Fact(props: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  )
}

export interface Day {
  /** `2030-12-31`, in UTC. */
  readonly day: string
  readonly received_bytes: number
  readonly sent_bytes: number
  /** Null before the first recorded day. */
  readonly stored_bytes: number | null
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

export interface Overview {
  readonly days: readonly Day[]
  readonly open_reverse_shares: number
  readonly waiting: { readonly count: number; readonly first: readonly WaitingPerson[] }
  readonly accounts: readonly Pick<ManagedUser, 'id' | 'email' | 'name' | 'used_bytes'>[]
  readonly running: {
    readonly uploads: readonly Upload[]
    readonly downloads: readonly Download[]
  }
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
