import { browserClock } from '../../lib/clock.ts'
import { formatBytes } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { Listing, ListRow } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { Fact, type Both, type Job } from './status.tsx'

/** What only engineers need, folded away. */
export function Internals({ status, queue }: Both) {
  return (
    <details>
      <summary>{t('status.internals')}</summary>
      <div class="stack">
        <Facts status={status} queue={queue} />
        <Jobs jobs={status.jobs} />
      </div>
    </details>
  )
}

function Facts({ status, queue }: Both) {
  const { database, disk } = status
  const size = formatBytes(database.bytes)
  const started = new Date(browserClock.now() - status.uptime_seconds * 1000).toISOString()
  return (
    <dl class="facts">
      <Fact name={t('status.verified')}>
        <Verified status={status} />
      </Fact>
      <Fact name={t('status.mails')}>
        {queue.mail === 'configured'
          ? t('status.mail_queue', { n: queue.queued })
          : t('status.mail_off')}
      </Fact>
      <Fact name={t('status.database')}>
        {database.embedded ? t('status.embedded', { size }) : size}
      </Fact>
      {disk && <Fact name={t('status.floor')}>{formatBytes(disk.floor_bytes)}</Fact>}
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

function Jobs({ jobs }: { readonly jobs: readonly Job[] }) {
  const heads = ['job', 'last_run', 'duration', 'answer'] as const
  return (
    <Listing caption={t('status.jobs')} heads={heads.map((head) => t(`status.${head}`))}>
      {jobs.map((job) => (
        <ListRow
          key={job.name}
          cells={[
            job.last_run_at ? <Time at={job.last_run_at} /> : t('status.not_yet'),
            job.last_duration_ms !== null &&
              t('status.ms', { n: Math.round(job.last_duration_ms) }),
            job.last_error && <span class="problem-text">{job.last_error}</span>,
          ]}
        >
          {job.name}
        </ListRow>
      ))}
    </Listing>
  )
}
