import { formatBytes, formatPercent } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Heading } from '../../ui/heading.tsx'
import * as icons from '../../ui/icons.ts'
import { Problem, Show, useLoad, usePoll } from '../../ui/state.tsx'
import { Internals } from './internals.tsx'
import { LargestAccounts } from './largest-accounts.tsx'
import { loadDashboard, type Dashboard } from './overview-data.ts'
import { Problems } from './problems.tsx'
import { RunningNow } from './running-now.tsx'
import { Fact, type Disk } from './status-facts.tsx'
import { StorageChart } from './storage-chart.tsx'
import { TrafficChart } from './traffic-chart.tsx'
import { Waiting } from './waiting.tsx'

/** The dashboard: problems first, then figures, and what only engineers need at the end. */
export function OverviewView() {
  const loaded = useLoad(loadDashboard, [])
  const running = loaded.data?.overview.running
  usePoll(loaded, (running?.uploads.length ?? 0) + (running?.downloads.length ?? 0) > 0)
  return (
    <>
      <div class="row spread">
        <Heading title={t('admin.tab.overview')} />
        <Button icon={icons.retry} onClick={loaded.reload}>
          {t('status.refresh')}
        </Button>
      </div>
      {loaded.data !== null && <Problem error={loaded.error} />}
      <Show loaded={loaded}>
        {(dashboard) => {
          const { status, queue, overview } = dashboard
          return (
            <>
              <Problems status={status} queue={queue} onRetried={loaded.reload} />
              <Waiting
                people={overview.waiting.first}
                count={overview.waiting.count}
                onAnswered={loaded.reload}
              />
              <Figures {...dashboard} />
              <div class="halves">
                <StorageChart overview={overview} />
                <TrafficChart overview={overview} />
                <LargestAccounts
                  accounts={overview.accounts}
                  storedBytes={status.storage.used_bytes}
                />
                <RunningNow running={overview.running} />
              </div>
              <Internals status={status} queue={queue} />
            </>
          )
        }}
      </Show>
    </>
  )
}

function FreeSpace({ disk }: { readonly disk: Disk }) {
  const { total_bytes: all, free_bytes: free } = disk
  return (
    <Fact name={t('overview.free')}>
      <strong>{formatBytes(free)}</strong>
      <span class="hint">{t('overview.of_all', { all: formatBytes(all) })}</span>
      <progress value={free} max={all} aria-label={t('overview.free')} />
    </Fact>
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
            {t('overview.of_disk', { part: formatPercent(used / disk.total_bytes) })}
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
  const text = t('overview.count', { n })
  return <strong>{href ? <a href={href}>{text}</a> : text}</strong>
}
