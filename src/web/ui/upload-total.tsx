import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { browserClock } from '../lib/clock.ts'
import { formatBytes, formatLeft, formatPercent } from '../lib/format.ts'
import { sayForeign, t, type TextKey } from '../lib/i18n.ts'
import type { Problem, Upload, UploadPhase, UploadSnapshot } from '../upload/types.ts'
import { Button } from './button.tsx'
import * as icons from './icons.ts'

interface UploadTotalProps {
  readonly upload: Upload
  readonly snapshot: UploadSnapshot
}

/** Progress of a whole upload, what it waits for, and its buttons. */
export function UploadTotal({ upload, snapshot }: UploadTotalProps) {
  const { phase, totals } = snapshot
  return (
    <div class="stack-tight">
      <progress value={totals.percent} max={100} aria-label={t('upload.progress')} />
      <div class="total">
        <p class="count">{sayTotals(snapshot)}</p>
        <PauseButton upload={upload} phase={phase} />
      </div>
      <Wait upload={upload} snapshot={snapshot} />
      <p class="visually-hidden" role="status">
        {announce(snapshot)}
      </p>
    </div>
  )
}

/** Pauses the upload, or continues it. */
export function PauseButton(props: { readonly upload: Upload; readonly phase: UploadPhase }) {
  const { upload, phase } = props
  if (phase === 'paused') {
    return (
      <Button icon={icons.play} onClick={() => upload.resume()}>
        {t('upload.resume')}
      </Button>
    )
  }
  return (
    ['sending', 'waiting'].includes(phase) && (
      <Button icon={icons.pause} onClick={() => upload.pause()}>
        {t('upload.pause')}
      </Button>
    )
  )
}

/** `41 % · 2.2 of 5.4 GB · 18 MB/s · about 3 minutes left` */
function sayTotals({ phase, totals, speed, secondsLeft }: UploadSnapshot): string {
  const parts = [
    formatPercent(totals.percent / 100),
    t('upload.bytes', { done: formatBytes(totals.bytesDone), all: formatBytes(totals.bytes) }),
  ]
  if (phase === 'paused') parts.push(t('upload.paused'))
  if (phase === 'finishing') parts.push(t('upload.finishing'))
  if (speed !== null) parts.push(t('upload.speed', { bytes: formatBytes(speed) }))
  if (secondsLeft !== null) parts.push(t('upload.left', { left: formatLeft(secondsLeft) }))
  return parts.join(' · ')
}

/** Why the upload waits, and what the user can do. */
function Wait({ upload, snapshot }: UploadTotalProps) {
  const { phase, hold, retryAt, problem } = snapshot
  const now = useSeconds(retryAt !== null)
  if (phase === 'waiting') {
    const seconds = Math.max(0, Math.ceil(((retryAt ?? now) - now) / 1000))
    const left = seconds < 60 ? t('upload.seconds', { seconds }) : formatLeft(seconds)
    return (
      <div class="problem">
        <p>{t(isLost(problem) ? 'upload.waiting' : 'upload.busy', { left })}</p>
        <Button onClick={() => upload.tryNow()}>{t('upload.try_now')}</Button>
      </div>
    )
  }
  if (phase !== 'held') return null
  const text =
    hold === 'refused' ? sayForeign(problem?.message) : t(`upload.hold.${hold}` as TextKey)
  return (
    <div class="problem" role="alert">
      <p>{text}</p>
      {hold !== 'files' && <Button onClick={() => upload.resume()}>{t('try_again')}</Button>}
      {hold === 'refused' && problem && <p class="code">{problem.code}</p>}
    </div>
  )
}

function isLost(problem: Problem | null): boolean {
  return problem?.code === 'network' || problem?.code === 'stalled'
}

/** Milliseconds since 1970, updated every second while `isTicking`. */
function useSeconds(isTicking: boolean): number {
  const now = useSignal(browserClock.now())
  useEffect(() => {
    if (!isTicking) return
    return browserClock.setTimer(1000, () => (now.value = browserClock.now()))
  }, [isTicking, now.value])
  return isTicking ? browserClock.now() : now.value
}

/** For screen readers: every quarter, and each change of state. */
function announce({ phase, totals, problem }: UploadSnapshot): string {
  if (phase === 'paused') return t('upload.paused')
  if (phase === 'waiting') return isLost(problem) ? t('upload.lost') : ''
  if (phase !== 'sending') return ''
  return t('upload.progress_at', { percent: formatPercent(Math.floor(totals.percent / 25) / 4) })
}
