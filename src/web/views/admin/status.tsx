import type { ComponentChildren } from 'preact'
import { api } from '../../lib/api.ts'
import { browserClock } from '../../lib/clock.ts'
import { formatBytes, formatMoment } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Heading } from '../../ui/heading.tsx'
import { Icon } from '../../ui/icon.tsx'
import * as icons from '../../ui/icons.ts'
import { Problem, Show, useAction, useLoad } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'

interface Job {
  readonly name: string
  readonly last_run_at: string | null
  readonly last_duration_ms: number | null
  readonly last_error: string | null
}

interface Disk {
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
  readonly storage: { readonly live_bytes: number }
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

interface DeadMail {
  readonly id: string
  readonly to: string
  readonly last_error: string
  readonly dead_at: string
}

interface MailQueue {
  readonly mail: 'configured' | 'not configured'
  readonly queued: number
  readonly dead: number
  readonly mails: readonly DeadMail[]
}

export function StatusView() {
  const loaded = useLoad(loadBoth, [])
  return (
    <>
      <div class="row spread">
        <Heading title={t('admin.status')} />
        <Button icon={icons.retry} onClick={loaded.reload}>
          {t('status.refresh')}
        </Button>
      </div>
      {loaded.data !== null && loaded.error !== null && <Problem error={loaded.error} />}
      <Show loaded={loaded}>
        {([status, queue]) => (
          <>
            <Health status={status} queue={queue} />
            <Facts status={status} queue={queue} />
            <DeadMails queue={queue} onRetried={loaded.reload} />
            <Jobs jobs={status.jobs} />
          </>
        )}
      </Show>
    </>
  )
}

function loadBoth(signal: AbortSignal): Promise<[Status, MailQueue]> {
  return Promise.all([
    api<Status>('GET', '/api/admin/status', { signal }),
    api<MailQueue>('GET', '/api/admin/mail?status=dead', { signal }),
  ])
}

interface Both {
  readonly status: Status
  readonly queue: MailQueue
}

/** What somebody has to look after, or that there is nothing. */
function Health({ status, queue }: Both) {
  const { database } = status
  const { ahead_seconds: ahead, waits_until: until } = status.clock
  const failed = status.jobs.filter((job) => job.last_error !== null).length
  const troubles = [
    isLow(status.disk) && t('status.disk_low'),
    database.disk !== null && isLow(database.disk) && t('status.database_disk_low'),
    until !== null &&
      t('status.clock_doubted', {
        hours: Math.round(ahead / 3600),
        time: formatMoment(until),
      }),
    failed > 0 && t('status.job_failed', { n: failed }),
    queue.dead > 0 && t('status.mail_dead', { n: queue.dead }),
  ].filter(Boolean)
  if (troubles.length === 0) {
    return (
      <p class="notice row-tight" role="status">
        <Icon path={icons.check} /> {t('status.fine')}
      </p>
    )
  }
  return (
    <div class="problem" role="alert">
      {troubles.map((trouble) => (
        <p key={trouble}>{trouble}</p>
      ))}
    </div>
  )
}

function isLow({ free_bytes: free, floor_bytes: floor }: Disk): boolean {
  return free < 2 * floor
}

function Facts({ status, queue }: Both) {
  const { disk, database, counts, storage } = status
  const size = formatBytes(database.bytes)
  const isMailed = queue.mail === 'configured'
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
      <Fact name={t('status.now')}>
        {[
          t('status.uploads', { n: counts.running_uploads }),
          t('status.downloads', { n: counts.running_downloads }),
        ].join(', ')}
      </Fact>
      <Fact name={t('status.mails')}>
        {isMailed ? t('status.mail_queue', { n: queue.queued }) : t('status.mail_off')}
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

/** How full the disk is, drawn and in words. */
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

function DeadMails({ queue, onRetried }: { queue: MailQueue; onRetried: () => void }) {
  const action = useAction()
  if (queue.mails.length === 0) return null
  const retry = async ({ id, to }: DeadMail) => {
    await api('POST', `/api/admin/mail/${id}/retry`)
    toast(t('status.retried', { to }))
    onRetried()
  }
  return (
    <section class="stack">
      <h2>{t('status.dead')}</h2>
      {action.error !== null && <Problem error={action.error} />}
      <table>
        <thead>
          <tr>
            <th scope="col">{t('status.to')}</th>
            <th scope="col" class="wide-only">
              {t('audit.when')}
            </th>
            <td />
          </tr>
        </thead>
        <tbody>
          {queue.mails.map((mail) => (
            <tr key={mail.id}>
              <th scope="row">
                {mail.to}
                <small class="problem-text">{mail.last_error}</small>
              </th>
              <td class="wide-only">
                <Time at={mail.dead_at} />
              </td>
              <td class="acts">
                <Button
                  kind="quiet"
                  busy={action.isBusy}
                  label={t('status.retry', { to: mail.to })}
                  onClick={() => action.run(() => retry(mail))}
                >
                  {t('try_again')}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Jobs({ jobs }: { readonly jobs: readonly Job[] }) {
  return (
    <section class="stack">
      <h2>{t('status.jobs')}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('status.job')}</th>
            <th scope="col">{t('status.last_run')}</th>
            <th scope="col" class="wide-only number">
              {t('status.duration')}
            </th>
            <th scope="col" class="wide-only">
              {t('status.answer')}
            </th>
          </tr>
        </thead>
        <tbody>
          {jobs.map((job) => (
            <tr key={job.name}>
              <th scope="row">{job.name}</th>
              <td>{job.last_run_at ? <Time at={job.last_run_at} /> : t('status.not_yet')}</td>
              <td class="wide-only number">
                {job.last_duration_ms !== null &&
                  t('status.ms', { n: Math.round(job.last_duration_ms) })}
              </td>
              <td class={job.last_error ? 'problem-text' : 'wide-only faint'}>
                {job.last_error ?? t('status.none')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
