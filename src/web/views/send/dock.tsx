import { formatPercent } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { PauseButton, sayTime } from '../../ui/upload-total.tsx'
import { isAllIn, isShown, sendings, stopSending, type Sending } from './uploads.ts'

/** Uploads that continue while another view is open. */
export function Dock() {
  const hasFiles = ({ snapshot }: Sending) => snapshot.value.files.length > 0
  const others = sendings.value.filter((sending) => !isShown(sending) && hasFiles(sending))
  if (others.length === 0) return null
  return (
    <section class="dock" aria-label={t('send.dock')}>
      {others.map((sending) => (
        <DockRow key={sending.shareId} sending={sending} />
      ))}
    </section>
  )
}

function DockRow({ sending }: { readonly sending: Sending }) {
  const { upload, snapshot, name, address } = sending
  const { phase, totals } = snapshot.value
  const time = sayTime(snapshot.value)
  return (
    <div class="row">
      <progress value={totals.percent} max={100} aria-label={t('upload.progress')} />
      <p class="count main">
        <bdi>{name.value}</bdi>{' '}
        <span class="faint">
          {phase === 'idle' && isAllIn(snapshot.value) ? (
            t('send.all_in')
          ) : (
            <>
              <span class="wide-only">
                {t('send.dock_files', { done: totals.filesDone, n: totals.files })} ·{' '}
              </span>
              {formatPercent(totals.percent / 100)}
              {time && ` · ${time}`}
            </>
          )}
        </span>
      </p>
      <div class="row-tight">
        <PauseButton upload={upload} phase={phase} />
        {phase === 'stopped' && (
          <Button onClick={() => stopSending(sending)}>{t('common.close')}</Button>
        )}
        <ButtonLink href={address.value}>{t('send.open')}</ButtonLink>
      </div>
    </div>
  )
}
