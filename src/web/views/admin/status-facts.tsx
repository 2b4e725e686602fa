import type { ComponentChildren } from 'preact'
import { browserClock } from '../../lib/clock.ts'
import { formatBytes } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { Time } from '../../ui/time.tsx'

export interface Job {
  readonly name: string
  readonly last_run_at: string | null
  readonly last_duration_ms: number | null
  readonly last_error: string | null
}

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
  readonly disk: Disk
  readonly storage: {
    readonly live_bytes: number
    readonly stuck: number
    readonly check: DamageCounts | null
  }
  readonly verify: { readonly last: VerifyRun | null }
  readonly clock: { readonly ahead_seconds: number; readonly waits_until: string | null }
  readonly jobs: readonly Job[]
  readonly counts: {
    readonly drafts: number
    readonly shares: number
    readonly reverse_shares: number
    readonly running_uploads: number
    readonly running_downloads: number
  }
}

interface DamageCounts {
  readonly missing: number
  readonly short: number
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

export interface Both {
  readonly status: Status
  readonly queue: MailQueue
}

export function Facts({ status, queue }: Both) {
  const { disk, database, counts, storage } = status
  const size = formatBytes(database.bytes)
  const isEmailed = queue.mail === 'configured'
  const started = new Date(browserClock.now() - status.uptime_seconds * 1000).toISOString()
  return (
    <dl class="facts">
      <Fact name={t('status.disk')}>
        <DiskSpace disk={disk} />
      </Fact>
      <Fact name={t('status.stock')}>
        {[
          t('status.shares', { n: counts.shares }),
          t('status.drafts', { n: counts.drafts }),
          t('status.requests', { n: counts.reverse_shares }),
        ].join(', ')}
        {`: ${formatBytes(storage.live_bytes)}`}
      </Fact>
      <Fact name={t('status.verified')}>
        <Verified status={status} />
      </Fact>
      <Fact name={t('status.now')}>
        {[
          t('status.uploads', { n: counts.running_uploads }),
          t('status.downloads', { n: counts.running_downloads }),
        ].join(', ')}
      </Fact>
      <Fact name={t('status.mails')}>
        {isEmailed ? t('status.mail_queue', { n: queue.queued }) : t('status.mail_off')}
      </Fact>
      <Fact name={t('status.database')}>
        {database.embedded ? t('status.embedded', { size }) : size}
      </Fact>
      <Fact name={t('status.uptime')}>
        <Time at={started} />
      </Fact>
      <Fact name={t('status.version')}>{status.version}</Fact>
    </dl>
  )
}

function Verified({ status }: Pick<Both, 'status'>) {
  const { last } = status.verify
  if (!last?.finished_at) return t('status.not_yet')
  const found = last.counts.missing + last.counts.short + last.counts.rotten
  const checked = formatBytes(last.checked_bytes)
  return (
    <>
      <Time at={last.finished_at} />: {t('status.findings', { n: found, checked })}
    </>
  )
}

/** How full the disk is, as a bar and in words. */
export function DiskSpace({ disk }: Pick<Status, 'disk'>) {
  const { total_bytes: all, free_bytes: free } = disk
  return (
    <>
      <progress value={all - free} max={all} aria-label={t('status.disk')} />
      {t('status.disk_free', {
        free: formatBytes(free),
        all: formatBytes(all),
        floor: formatBytes(disk.floor_bytes),
      })}
    </>
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
