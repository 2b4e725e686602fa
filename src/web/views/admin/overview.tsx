import * as icons from '../../ui/icons.ts'
import { formatBytes, formatPercent } from '../../lib/format.ts'
import { formatNumber, t } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { HeadingRow } from '../../ui/heading.tsx'
import { Show, useLoad, usePoll } from '../../ui/state.tsx'
import { Fact, FreeSpace, loadDashboard } from './status.tsx'
import type { Dashboard, Download, Status, Upload } from './status.tsx'
import { Problems } from './problems.tsx'
import { StorageChart, TrafficChart } from './charts.tsx'
import { Waiting } from './waiting.tsx'
import { browserClock } from '../../lib/clock.ts'
import { Listing, ListRow } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'

/** The dashboard: problems first, then figures, and what only engineers need at the end. */
export function OverviewView() {
  const loaded = useLoad(loadDashboard, [])
  const running = loaded.data?.overview.running
  usePoll(loaded, (running?.uploads.length ?? 0) + (running?.downloads.length ?? 0) > 0)
  return (
    <>
      <HeadingRow title={t('admin.tab.overview')}>
        <Button icon={icons.retry} onClick={loaded.reload}>
          {t('status.refresh')}
        </Button>
      </HeadingRow>
      <Show loaded={loaded}>
        {(dashboard) => {
          const { overview } = dashboard
          return (
            <>
              <Problems {...dashboard} onRetried={loaded.reload} />
              <Waiting
                people={overview.waiting.first}
                count={overview.waiting.count}
                onAnswered={loaded.reload}
              />
              <Figures {...dashboard} />
              <div class="halves">
                <StorageChart overview={overview} />
                <TrafficChart overview={overview} />
                <LargestAccounts {...dashboard} />
                <RunningNow {...dashboard} />
              </div>
              <Internals {...dashboard} />
            </>
          )
        }}
      </Show>
    </>
  )
}

function Figures({ status, overview }: Dashboard) {
  const { disk, counts } = status
  const { used_bytes: used } = status.storage
  return (
    <dl class="facts figures">
      <Fact name={t('status.stock')}>
        <strong>{formatBytes(used)}</strong>
        {disk && (
          <span class="hint">
            {t('overview.of_disk', { part: sayPart(used / disk.total_bytes) })}
          </span>
        )}
      </Fact>
      {disk && <FreeSpace disk={disk} />}
      <Fact name={t('overview.active_shares')}>
        <Count n={counts.shares} href="/admin/shares?state=complete" />
        {counts.drafts > 0 && (
          <a class="hint" href="/admin/shares?state=draft">
            {t('overview.drafts', { n: counts.drafts })}
          </a>
        )}
      </Fact>
      <Fact name={t('overview.open_requests')}>
        <Count n={overview.open_reverse_shares} />
      </Fact>
      <Fact name={t('admin.tab.users')}>
        <Count n={counts.users} href="/admin/users" />
      </Fact>
    </dl>
  )
}

function Count({ n, href }: { readonly n: number; readonly href?: string }) {
  const text = formatNumber(n)
  return <strong>{href ? <a href={href}>{text}</a> : text}</strong>
}

/** The accounts that use most, with their part of everything stored. */
function LargestAccounts({ status, overview: { accounts } }: Dashboard) {
  // An account may have grown between the two answers.
  const all = Math.max(status.storage.used_bytes, accounts[0]?.used_bytes ?? 0)
  return (
    <section class="stack">
      <h2>{t('overview.largest')}</h2>
      {accounts.length === 0 && <p class="hint">{t('overview.nothing_stored')}</p>}
      <ol class="bars">
        {accounts.map(({ id, email, name, used_bytes: used }) => (
          <li key={id}>
            <a href={`/admin/users?q=${encodeURIComponent(email)}`} title={email}>
              <bdi>{name || email}</bdi>
            </a>
            <span class="count">
              {formatBytes(used)} <span class="faint">{sayPart(used / all)}</span>
            </span>
            <progress aria-hidden="true" value={used} max={all} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function sayPart(part: number): string {
  return part > 0 && part < 0.01 ? `< ${formatPercent(0.01)}` : formatPercent(part)
}

function RunningNow({ overview }: Dashboard) {
  const { uploads, downloads } = overview.running
  const rows = [
    ...uploads.map((one) => rowOf(sayUpload(one), one, one.received_bytes, one.expected_bytes)),
    ...downloads.map((one) => rowOf(sayDownload(one), one, one.sent_bytes, one.total_bytes)),
  ]
  return (
    <section class="stack">
      <h2>{t('status.now')}</h2>
      {rows.length === 0 && <p class="hint">{t('running.nothing')}</p>}
      <ul class="bars">{rows}</ul>
    </section>
  )
}

function sayUpload({ share }: Upload): string {
  if (!share) return t('running.guest')
  return t('running.upload', { name: share.name || t('shares.unnamed') })
}

function sayDownload({ share, transfers: n }: Download): string {
  if (!share) return t('running.received', { n })
  return t('running.download', { n, name: share.name || t('shares.unnamed') })
}

/** A running upload or download, with its progress as far as it is known. */
function rowOf(title: string, { owner }: Upload | Download, done: number, all: number | null) {
  return (
    <li>
      <bdi>{title}</bdi>
      <small class="faint text">{owner.email}</small>
      <span class="count">
        {all === null
          ? t('running.so_far', { size: formatBytes(done) })
          : t('users.space_of', { used: formatBytes(done), all: formatBytes(all) })}
      </span>
      {all !== null && <progress aria-label={title} value={done} max={Math.max(all, done, 1)} />}
    </li>
  )
}

/** What only engineers need, folded away. */
function Internals({ status, queue }: Dashboard) {
  const { database, disk } = status
  const size = formatBytes(database.bytes)
  const started = new Date(browserClock.now() - status.uptime_seconds * 1000).toISOString()
  return (
    <details>
      <summary>{t('status.internals')}</summary>
      <div class="stack">
        <dl class="facts">
          <Fact name={t('check_up.is.verify')}>
            <Verified {...status.verify} />
          </Fact>
          <Fact name={t('section.mail')}>
            {queue.mail === 'configured'
              ? t('status.mail_queue', { n: queue.queued })
              : t('status.mail_off')}
          </Fact>
          <Fact name={t('options.DATABASE_URL')}>
            {database.embedded ? t('status.embedded', { size }) : size}
          </Fact>
          {disk && <Fact name={t('status.floor')}>{formatBytes(disk.floor_bytes)}</Fact>}
          <Fact name={t('status.uptime')}>
            <Time at={started} />
          </Fact>
          <Fact name={t('status.version')}>{status.version}</Fact>
        </dl>
        <Jobs jobs={status.jobs} />
      </div>
    </details>
  )
}

function Verified({ last }: Status['verify']) {
  if (!last?.finished_at) return t('status.not_yet')
  const found = last.counts.missing + last.counts.short + last.counts.rotten
  const checked = formatBytes(last.checked_bytes)
  return (
    <>
      <Time at={last.finished_at} />: {t('status.findings', { n: found, checked })}
    </>
  )
}

function Jobs({ jobs }: Pick<Status, 'jobs'>) {
  return (
    <Listing
      caption={t('status.jobs')}
      heads={[t('status.job'), t('status.last_run'), t('status.duration'), t('status.answer')]}
    >
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
