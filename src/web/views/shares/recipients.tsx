import { useState } from 'preact/hooks'
import { api } from '../../lib/api.ts'
import { t } from '../../lib/i18n.ts'
import { sharePath } from '../../lib/share.ts'
import { Button } from '../../ui/button.tsx'
import { Problem, useAction, useLoad } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { Mail, Mailed, type MailAnswer } from '../send/link-ready.tsx'
import type { OwnShare } from './share-state.tsx'

interface Letter {
  readonly to: string
  /** Null when nothing was sent, or so long ago that nobody knows. */
  readonly status: 'queued' | 'sent' | 'dead' | null
  readonly last_error: string
  readonly at: string | null
}

/** Who was written to, and what became of it. */
export function Recipients(props: {
  readonly share: OwnShare
  readonly onChanged: (share: OwnShare) => void
}) {
  const { share, onChanged } = props
  const path = sharePath(share.id)
  const loaded = useLoad(
    (signal) => api<Letter[]>('GET', `${path}/letters`, { signal }),
    [path, share],
  )
  const [answer, setAnswer] = useState<MailAnswer | null>(null)
  const action = useAction()
  const resend = async (to: string) => {
    setAnswer(null)
    setAnswer(await api<MailAnswer>('POST', `${path}/resend`, { body: { to } }))
    loaded.reload()
  }
  return (
    <div class="stack narrow">
      <Mail
        share={share}
        onSaved={(changed) => onChanged({ ...share, ...changed } as OwnShare)}
        onSent={loaded.reload}
      />
      {loaded.data && loaded.data.length > 0 && (
        <ul class="rows">
          {loaded.data.map(({ to, status, last_error: error, at }) => (
            <li key={to}>
              <div class="main">
                <bdi>{to}</bdi>{' '}
                {status && (
                  <small class="faint">
                    {t(`letter.${status}`)} <Time at={at!} />
                  </small>
                )}
                {error && <p class="problem-text">{error}</p>}
              </div>
              {share.status === 'complete' && (
                <Button
                  kind="quiet"
                  label={t('letter.resend_to', { to })}
                  onClick={() => action.run(() => resend(to))}
                >
                  {t('letter.resend')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <div role="status">{answer && <Mailed answer={answer} />}</div>
      {action.error !== null && <Problem error={action.error} />}
    </div>
  )
}
