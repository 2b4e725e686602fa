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
export function UploadTotal(
  props: UploadTotalProps & {
    /** Unless the page shows it elsewhere. */
    readonly hasRing?: boolean | undefined
  },
) {
  const { upload, snapshot, hasRing = true } = props
  const { phase, totals } = snapshot
  return (
    <div class="stack-tight">
      <div class="total">
        {hasRing && <Ring percent={totals.percent} />}
        <progress
          class="visually-hidden"
          value={totals.percent}
          max={100}
          aria-label={t('upload.progress')}
        />
        <div class="stack-tight">
          <p class="count">
            <span class="visually-hidden">{formatPercent(totals.percent / 100)} · </span>
            {sayTotals(snapshot)}
          </p>
          <PauseButton upload={upload} phase={phase} />
        </div>
      </div>
      <Wait upload={upload} snapshot={snapshot} />
      <p class="visually-hidden" role="status">
        {announce(snapshot)}
      </p>
    </div>
  )
}

/** A picture of the progress, which is also said in words: a tick once `isDone`. */
export function Ring(props: { readonly percent: number; readonly isDone?: boolean }) {
  const { percent, isDone } = props
  return (
    <svg class={isDone ? 'ring done' : 'ring'} viewBox="0 0 100 100" aria-hidden="true">
      <circle cx="50" cy="50" r="44" />
      {percent > 0 && (
        <circle cx="50" cy="50" r="44" pathLength={100} stroke-dasharray={`${percent} 100`} />
      )}
      {isDone ? (
        <path d="m30 51 14 14 27-28" pathLength={100} />
      ) : (
        <text x="50" y="52">
          {formatPercent(percent / 100)}
        </text>
      )}
    </svg>
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

/** `2.2 of 5.4 GB · 18 MB/s · about 3 minutes left` */
function sayTotals({ phase, totals, speed, secondsLeft }: UploadSnapshot): string {
  const { bytesDone, bytes } = totals
  const parts = [t('upload.bytes', { done: formatBytes(bytesDone), all: formatBytes(bytes) })]
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
