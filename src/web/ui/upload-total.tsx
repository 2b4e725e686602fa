import type { ComponentChildren } from 'preact'
import { browserClock } from '../lib/clock.ts'
import { formatBytes, formatLeft, formatPercent, formatRest } from '../lib/format.ts'
import { sayForeign, t, type TextKey } from '../lib/i18n.ts'
import type { Upload } from '../upload/engine.ts'
import type { UploadPhase, UploadSnapshot } from '../upload/types.ts'
import { Button } from './button.tsx'
import * as icons from './icons.ts'
import { useTick } from './state.tsx'

interface UploadTotalProps {
  readonly upload: Upload
  readonly snapshot: UploadSnapshot
}

/** What the ring shows, in words, and the button that pauses it. */
export function TotalWords({ upload, snapshot }: UploadTotalProps) {
  const { phase, totals, speed, retryAt } = snapshot
  const { bytesDone, bytes, percent } = totals
  const time = sayTime(snapshot)
  useTick(retryAt !== null)
  return (
    <>
      <progress
        class="visually-hidden"
        value={percent}
        max={100}
        aria-label={t('upload.progress')}
      />
      <p class="count">
        <span class="visually-hidden">{formatPercent(percent / 100)} · </span>
        {/* Keeps its line while it is not known: nothing below it moves. */}
        {time || '\u00a0'}
        {time && speed !== null && (
          <span class="wide-only"> · {t('upload.speed', { bytes: formatBytes(speed) })}</span>
        )}
        <br />
        <span class="faint">
          {phase === 'waiting'
            ? t('upload.waiting', { left: sayWait(retryAt ?? 0) })
            : t('upload.bytes', { done: formatBytes(bytesDone), all: formatBytes(bytes) })}
        </span>
      </p>
      <PauseButton upload={upload} phase={phase} />
      <p class="visually-hidden" role="status">
        {announce(snapshot)}
      </p>
    </>
  )
}

/**
 * The head of a card: how far it is as a ring, with a tick once `isDone`; its title, and more about
 * it.
 */
export function Head(props: {
  readonly percent: number
  readonly isDone?: boolean
  readonly title: ComponentChildren
  readonly children?: ComponentChildren
}) {
  const { percent, isDone, title, children } = props
  return (
    <div class="head">
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
      <div class="words">
        {title}
        {children && <div class="row-tight spread">{children}</div>}
      </div>
    </div>
  )
}

type Act = readonly [icons.IconPath, 'resume' | 'pause' | 'tryNow', TextKey]
const acts: Partial<Record<UploadPhase, Act>> = {
  paused: [icons.play, 'resume', 'upload.resume'],
  sending: [icons.pause, 'pause', 'upload.pause'],
  waiting: [icons.retry, 'tryNow', 'upload.tryNow'],
}

/** Pauses an upload, or lets it go on. */
export function PauseButton(props: { readonly upload: Upload; readonly phase: UploadPhase }) {
  const act = acts[props.phase]
  if (!act) return null
  const [icon, name, key] = act
  return (
    <Button icon={icon} label={t(key)} onClick={() => props.upload[name]()}>
      <span class="wide-only">{t(key)}</span>
    </Button>
  )
}

/** `3 min left`, or what takes no known time. */
export function sayTime({ phase, totals, secondsLeft, problem }: UploadSnapshot): string {
  if (phase === 'paused') return t('upload.paused')
  if (phase === 'waiting') {
    const isLost = problem?.code === 'network' || problem?.code === 'stalled'
    return t(isLost ? 'upload.lost' : 'upload.busy')
  }
  if (['held', 'idle', 'stopped'].includes(phase)) return ''
  if (totals.bytesDone === totals.bytes) return t('upload.finishing')
  return secondsLeft === null ? '' : t('upload.left', { left: formatRest(secondsLeft) })
}

function sayWait(retryAt: number): string {
  const seconds = Math.max(0, Math.ceil((retryAt - browserClock.now()) / 1000))
  return seconds < 60 ? t('upload.seconds', { seconds }) : formatLeft(seconds)
}

/** Why the upload is held, and what the user can do. */
export function Wait({ upload, snapshot }: UploadTotalProps) {
  const { phase, hold, problem } = snapshot
  if (phase !== 'held') return null
  const text =
    hold === 'refused' ? sayForeign(problem?.message) : t(`upload.hold.${hold}` as TextKey)
  return (
    <div class="problem" role="alert">
      <p>{text}</p>
      {hold !== 'files' && <Button onClick={() => upload.resume()}>{t('common.try_again')}</Button>}
      {hold === 'refused' && problem && <p class="code">{problem.code}</p>}
    </div>
  )
}

/** For screen readers: every quarter, and each change of state. */
function announce(snapshot: UploadSnapshot): string {
  const { phase, totals } = snapshot
  if (phase === 'paused' || phase === 'waiting') return sayTime(snapshot)
  if (phase !== 'sending') return ''
  return t('upload.progress_at', { percent: formatPercent(Math.floor(totals.percent / 25) / 4) })
}
