import { browserClock } from '../lib/clock.ts'
import { t } from '../lib/i18n.ts'
import { signal } from '../lib/signals.ts'
import { Button } from './button.tsx'

interface Toast {
  readonly id: number
  readonly text: string
  readonly ms: number
  readonly onUndo: (() => void) | undefined
  readonly onGone: (() => void) | undefined
}

const shown = signal<readonly Toast[]>([])
/** All active toasts with functions that end their timers; at most three are visible. */
const timers = new Map<Toast, () => void>()
const held = { pointer: false, focus: false }
let lastId = 0

/**
 * Confirms an action for six seconds; with `onUndo` for ten, after which `onGone` runs. Problems
 * are never toasts, because they stay where they happened. The returned function ends it early.
 */
export function toast(
  text: string,
  { onUndo, onGone }: { onUndo?: () => void; onGone?: () => void } = {},
): () => void {
  const one: Toast = { id: (lastId += 1), text, ms: onUndo ? 10_000 : 6000, onUndo, onGone }
  shown.value = [...shown.value.slice(-2), one]
  run(one)
  return () => end(one)
}

function run(one: Toast): void {
  timers.get(one)?.()
  timers.set(
    one,
    held.pointer || held.focus ? () => {} : browserClock.setTimer(one.ms, () => end(one)),
  )
}

function end(one: Toast): void {
  // Ended before, or undone.
  if (!timers.has(one)) return
  remove(one)
  one.onGone?.()
}

/** Toasts stay while pointer or focus is on them, and then get their full time again. */
function hold(by: keyof typeof held, isNow: boolean): void {
  held[by] = isNow
  for (const one of timers.keys()) run(one)
}

function remove(one: Toast): void {
  timers.get(one)?.()
  timers.delete(one)
  shown.value = shown.value.filter(({ id }) => id !== one.id)
}

function undo(one: Toast): void {
  remove(one)
  // The focused button is removed, and browsers send no event for that.
  hold('focus', false)
  hold('pointer', false)
  one.onUndo?.()
}

export function Toasts() {
  return (
    <div
      class="toasts"
      role="status"
      onPointerEnter={() => hold('pointer', true)}
      onPointerLeave={() => hold('pointer', false)}
      onFocusIn={() => hold('focus', true)}
      onFocusOut={() => hold('focus', false)}
    >
      {shown.value.map((one) => (
        <div class="toast" key={one.id}>
          <span>{one.text}</span>
          {one.onUndo && (
            <Button kind="quiet" onClick={() => undo(one)}>
              {t('common.undo')}
            </Button>
          )}
        </div>
      ))}
    </div>
  )
}
