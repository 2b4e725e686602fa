import type { ComponentChildren } from 'preact'
import { api } from '../../lib/api.ts'
import { sayExpiry } from '../../lib/expiry.ts'
import { formatBytes, formatMoment } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { localBase } from '../../ui/local-links.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import * as icons from '../../ui/icons.ts'
import { Problem, useAction } from '../../ui/state.tsx'
import { Listing, ListRow, noHead } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import type { Dashboard, DeadMail, Disk, MailQueue, Status } from './status.tsx'

interface Trouble {
  readonly key: string
  /** What happened. */
  readonly title: string
  /** What to do. */
  readonly advice: ComponentChildren
  /** Helps with it, on the machine of the service. */
  readonly command?: string
  /** Nothing is lost or refused yet. */
  readonly isWarning?: boolean
  readonly more?: ComponentChildren
}

/** Problems that need the administrator, the worst first; one line when there are none. */
export function Problems(props: Dashboard & { readonly onRetried: () => void }) {
  const { status, queue, onRetried } = props
  const troubles: Trouble[] = [
    ...(status.uploads === 'unavailable'
      ? [{ key: 'disk', title: t('status.disk'), advice: t('disk.is.missing') }]
      : diskTrouble('disk', status.disk)),
    ...diskTrouble('database_disk', status.database.disk),
    ...fileTroubles(status),
    ...mailTrouble(queue, onRetried),
    ...linkTrouble(),
    ...jobTroubles(status),
    ...clockTrouble(status),
  ].toSorted((one, other) => Number(!!one.isWarning) - Number(!!other.isWarning))
  if (troubles.length === 0) {
    return (
      <p class="notice ok row-tight" role="status">
        <Icon path={icons.check} />
        <span>
          {t('overview.fine')} <a href="/admin/doctor">{t('check_up.run')}</a>
        </span>
      </p>
    )
  }
  return (
    <section class="stack" aria-labelledby="problems">
      <h2 id="problems">{t('problem.title', { n: troubles.length })}</h2>
      {troubles.map(({ key, title, advice, command, isWarning, more }) => (
        <div key={key} class={isWarning ? 'problem mild' : 'problem'}>
          <div role="alert">
            <p class="row-tight">
              <Icon path={icons.warn} /> <strong>{title}</strong>
            </p>
            <p>{advice}</p>
          </div>
          {command && <code>{command}</code>}
          {more}
        </div>
      ))}
    </section>
  )
}

/** Known to the page alone: the service cannot tell by which name it is opened. */
function linkTrouble(): Trouble[] {
  const base = localBase()
  if (base === null) return []
  const advice = t('links.local_advice', { address: location.origin })
  return [{ key: 'links', title: t('links.local', { base }), advice, isWarning: true }]
}

function diskTrouble(name: 'disk' | 'database_disk', disk: Disk | null): Trouble[] {
  if (!disk || disk.free_bytes >= 2 * disk.floor_bytes) return []
  const { free_bytes: free, floor_bytes: floor } = disk
  const isFull = free < floor
  const title = t(`problem.is.${name}_${isFull ? 'full' : 'low'}`)
  const sizes = { free: formatBytes(free), floor: formatBytes(floor) }
  return [{ key: name, title, advice: t(`problem.is.${name}_advice`, sizes), isWarning: !isFull }]
}

function fileTroubles({ storage, verify }: Status): Trouble[] {
  const { check, stuck, stuck_containers: first } = storage
  const counts = verify.last?.counts
  // Both checks find the same damage, so it counts once.
  const damaged = Math.max(
    check ? check.missing + check.short : 0,
    counts ? counts.missing + counts.short + counts.rotten : 0,
  )
  return [
    ...counted('damaged', damaged, { command: 'transfer verify' }),
    ...counted('unknown', check?.orphaned ?? 0),
    ...counted('stuck', stuck, { reason: first[0]?.last_error ?? '', isWarning: true }),
  ]
}

function counted(
  key: 'damaged' | 'unknown' | 'stuck',
  n: number,
  { reason = '', ...more }: { reason?: string; command?: string; isWarning?: boolean } = {},
): Trouble[] {
  if (n === 0) return []
  const advice = t(`problem.is.${key}_advice`, { reason })
  return [{ key, title: t(`problem.is.${key}`, { n }), advice, ...more }]
}

function jobTroubles({ jobs }: Status): Trouble[] {
  const failed = jobs.filter((job) => job.last_error !== null || job.failing > 0)
  if (failed.length === 0) return []
  const more = (
    <ul>
      {failed.map(({ name, last_error: error, failing }) => (
        <li key={name}>
          {name}: {error ?? t('problem.failing', { n: failing })}
        </li>
      ))}
    </ul>
  )
  const title = t('problem.jobs', { n: failed.length })
  return [{ key: 'jobs', title, advice: t('problem.jobs_advice'), isWarning: true, more }]
}

function clockTrouble({ clock }: Status): Trouble[] {
  const { ahead_seconds: ahead, waits_until: until } = clock
  if (until === null) return []
  const hours = Math.round(ahead / 3600)
  const length = sayExpiry(hours < 48 ? `${hours} Hours` : `${Math.round(hours / 24)} Days`)
  const advice = t('problem.clock_advice', { length, time: formatMoment(until) })
  const command = 'transfer clean-up --trust-clock'
  return [{ key: 'clock', title: t('problem.clock'), advice, command, isWarning: true }]
}

function mailTrouble(queue: MailQueue, onRetried: () => void): Trouble[] {
  if (queue.dead === 0) return []
  const advice = (
    <>
      {t('problem.mails_advice')} <a href="/admin/settings/mail">{t('problem.mail_settings')}</a>
    </>
  )
  const title = t('problem.mails', { n: queue.dead })
  return [{ key: 'mails', title, advice, more: <DeadMails queue={queue} onRetried={onRetried} /> }]
}

function DeadMails({ queue, onRetried }: { queue: MailQueue; onRetried: () => void }) {
  const action = useAction()
  const retry = async ({ id, to }: DeadMail) => {
    await api('POST', `/api/admin/mail/${id}/retry`)
    toast(t('status.retried', { to }))
    onRetried()
  }
  return (
    <>
      <Problem error={action.error} />
      <Listing heads={[t('status.to'), t('activity.when'), noHead]}>
        {queue.mails.map((mail) => (
          <ListRow
            key={mail.id}
            cells={[<Time at={mail.dead_at} />]}
            actions={
              <Button
                kind="quiet"
                busy={action.isBusy}
                label={`${t('common.try_again')}: ${mail.to}`}
                onClick={() => action.run(() => retry(mail))}
              >
                {t('common.try_again')}
              </Button>
            }
          >
            {mail.to}
            <small class="problem-text">{mail.last_error}</small>
          </ListRow>
        ))}
      </Listing>
    </>
  )
}
