import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { browserClock } from '../lib/clock.ts'
import { formatBytes, formatLeft, formatPercent, formatRest } from '../lib/format.ts'
import { sayForeign, t, type TextKey } from '../lib/i18n.ts'
import { useSignal } from '../lib/signals.ts'
import type { Upload } from '../upload/engine.ts'
import type { Problem, UploadPhase, UploadSnapshot } from '../upload/types.ts'
import { Button } from './button.tsx'
import * as icons from './icons.ts'

interface UploadTotalProps {
  readonly upload: Upload
  readonly snapshot: UploadSnapshot
}

/** Progress of a whole upload, what it waits for, and its buttons. */
export function UploadTotal(props: UploadTotalProps & { readonly title?: ComponentChildren }) {
  const { title, ...rest } = props
  return (
    <>
      <Head title={title} percent={rest.snapshot.totals.percent}>
        <TotalWords {...rest} />
      </Head>
      <Wait {...rest} />
    </>
  )
}

/** What the ring shows, in words, and the button that pauses it. */
export function TotalWords({ upload, snapshot }: UploadTotalProps) {
  const { phase, totals } = snapshot
  const [first, second] = sayTotals(snapshot)
  return (
    <>
      <progress
        class="visually-hidden"
        value={totals.percent}
        max={100}
        aria-label={t('upload.progress')}
      />
      <p class="count">
        <span class="visually-hidden">{formatPercent(totals.percent / 100)} · </span>
        {/* Keeps its line while it is not known; what waits is said below. */}
        {phase !== 'waiting' && (
          <>
            {first || '\u00a0'}
            <br />
          </>
        )}
        <span class="faint">{second}</span>
      </p>
      <PauseButton upload={upload} phase={phase} />
      <p class="visually-hidden" role="status">
        {announce(snapshot)}
      </p>
    </>
  )
}

/** The head of a card: how far it is as a ring, its title, and more about it. */
export function Head(props: {
  readonly percent: number
  readonly isDone?: boolean
  readonly title: ComponentChildren
  readonly children?: ComponentChildren
}) {
  const { percent, isDone, title, children } = props
  return (
    <div class="head">
      <Ring percent={percent} isDone={isDone} />
      <div class="words">
        {title}
        {children && <div class="row-tight spread">{children}</div>}
      </div>
    </div>
  )
}

/** A picture of the progress, which is also said in words: a tick once `isDone`. */
function Ring(props: { readonly percent: number; readonly isDone: boolean | undefined }) {
  const { percent, isDone } = props
  return (
    <svg class={isDone ? 'ring done' : 'ring'} viewBox="0 0 112 112" aria-hidden="true">
      <circle cx="56" cy="56" r={isDone ? 56 : 52} />
      {isDone ? (
        <path d="m37 57 14 14 26-29" />
      ) : (
        <>
          {percent > 0 && (
            <circle cx="56" cy="56" r="52" pathLength={100} stroke-dasharray={`${percent} 100`} />
          )}
          <text x="56" y="58">
            {formatPercent(percent / 100)}
          </text>
        </>
      )}
    </svg>
  )
}

export function PauseButton(props: { readonly upload: Upload; readonly phase: UploadPhase }) {
  const { upload, phase } = props
  if (phase === 'paused') {
    return (
      <Button icon={icons.play} label={t('upload.resume')} onClick={() => upload.resume()}>
        <span class="wide-only">{t('upload.resume')}</span>
      </Button>
    )
  }
  return (
    ['sending', 'waiting'].includes(phase) && (
      <Button icon={icons.pause} label={t('upload.pause')} onClick={() => upload.pause()}>
        <span class="wide-only">{t('upload.pause')}</span>
      </Button>
    )
  )
}

/** `3 min left · 18 MB/s`, and `2.2 of 5.4 GB` */
function sayTotals({ phase, totals, speed, secondsLeft }: UploadSnapshot): [string, string] {
  const { bytesDone, bytes } = totals
  const parts: string[] = []
  if (phase === 'paused') parts.push(t('upload.paused'))
  if (phase === 'finishing') parts.push(t('upload.finishing'))
  if (secondsLeft !== null) parts.push(t('upload.left', { left: formatRest(secondsLeft) }))
  if (speed !== null) parts.push(t('upload.speed', { bytes: formatBytes(speed) }))
  const done = t('upload.bytes', { done: formatBytes(bytesDone), all: formatBytes(bytes) })
  return [parts.join(' · '), done]
}

/** Why the upload waits, and what the user can do. */
export function Wait({ upload, snapshot }: UploadTotalProps) {
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
