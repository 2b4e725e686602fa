import { api } from '../../lib/api.ts'
import { formatMoment } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Heading } from '../../ui/heading.tsx'
import { Icon } from '../../ui/icon.tsx'
import * as icons from '../../ui/icons.ts'
import { Problem, Show, useAction, useLoad } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import {
  Facts,
  type Both,
  type DeadMail,
  type Disk,
  type Job,
  type MailQueue,
  type Status,
} from './status-facts.tsx'

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

/** Problems that need the administrator, or a note that there are none. */
function Health({ status, queue }: Both) {
  const { database } = status
  const { ahead_seconds: ahead, waits_until: until } = status.clock
  const failed = status.jobs.filter((job) => job.last_error !== null).length
  const troubles = [
    isLow(status.disk) && t('status.disk_low'),
    database.disk !== null && isLow(database.disk) && t('status.database_disk_low'),
    damageOf(status) > 0 && t('status.damaged', { n: damageOf(status) }),
    status.storage.stuck > 0 && t('status.stuck', { n: status.storage.stuck }),
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

/** Number of damaged places on disk, from the newer of start check and verification. */
function damageOf({ storage, verify }: Status): number {
  const { check } = storage
  const counts = verify.last?.counts
  return Math.max(
    check ? check.missing + check.short : 0,
    counts ? counts.missing + counts.short + counts.rotten : 0,
  )
}

function isLow({ free_bytes: free, floor_bytes: floor }: Disk): boolean {
  return free < 2 * floor
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
