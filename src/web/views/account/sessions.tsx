import { api } from '../../lib/api.ts'
import { deviceOf } from '../../lib/device.ts'
import { t } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { HeadingRow } from '../../ui/heading.tsx'
import { Problem, useAction, useLoad } from '../../ui/state.tsx'
import { NamedRow, Rows } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'

interface Session {
  readonly id: string
  readonly current: boolean
  readonly ip: string
  readonly user_agent: string
  readonly created_at: string
  readonly last_seen_at: string
}

const path = '/api/account/sessions'

/** The present session first, then the newest. */
async function loadSessions(signal: AbortSignal): Promise<Session[]> {
  const sessions = await api<Session[]>('GET', path, { signal })
  return sessions.toSorted((one, other) => Number(other.current) - Number(one.current))
}

export function Sessions() {
  const loaded = useLoad(loadSessions, [])
  const action = useAction()
  const end = (session: Session | null) =>
    action.run(async () => {
      await api('DELETE', session ? `${path}/${session.id}` : path)
      toast(t(session ? 'sessions.ended' : 'sessions.others_ended'))
      loaded.set(loaded.data!.filter(({ id, current }) => (session ? id !== session.id : current)))
    })
  return (
    <>
      <HeadingRow title={t('account.sessions')}>
        <Button busy={action.isBusy} onClick={() => end(null)}>
          {t('sessions.end_others')}
        </Button>
      </HeadingRow>
      <p class="faint">
        {t('sessions.text')} {t('sessions.end_others_hint')}
      </p>
      <Problem error={action.error} />
      <Rows loaded={loaded}>
        {(session) => {
          const name = nameDevice(session.user_agent)
          return (
            <NamedRow
              key={session.id}
              name={name}
              mark={session.current && <span class="badge ok">{t('sessions.current')}</span>}
              hint={
                <>
                  {session.ip} · {t('sessions.begun')} <Time at={session.created_at} />
                  {' · '}
                  {t('sessions.seen')} <Time at={session.last_seen_at} />
                </>
              }
            >
              {!session.current && (
                <Button
                  kind="quiet"
                  busy={action.isBusy}
                  label={t('sessions.end_one', { name })}
                  onClick={() => end(session)}
                >
                  {t('sessions.end')}
                </Button>
              )}
            </NamedRow>
          )
        }}
      </Rows>
    </>
  )
}

export function nameDevice(userAgent: string): string {
  const { browser, system } = deviceOf(userAgent)
  if (browser && system) return t('sessions.device', { browser, system })
  return browser ?? system ?? t('sessions.unknown')
}
