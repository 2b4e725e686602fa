import { signal } from '@preact/signals'
import { browserClock } from '../lib/clock.ts'
import { t } from '../lib/i18n.ts'
import { Button } from './button.tsx'

interface Toast {
  readonly id: number
  readonly text: string
  readonly ms: number
  readonly onUndo: (() => void) | undefined
  readonly onGone: (() => void) | undefined
}

const shown = signal<readonly Toast[]>([])
/** All whose time is not over, with what ends their timers; at most three of them are shown. */
const timers = new Map<Toast, () => void>()
const held = { pointer: false, focus: false }
let lastId = 0

/**
 * Confirms what has happened, for six seconds; with `onUndo` for ten, and `onGone` runs once the
 * time to undo is over. Problems are never toasts: they stay where they happened. The function
 * returned ends it before its time.
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
  remove(one)
  one.onGone?.()
}

/** While the pointer or the keyboard is at them they stay, and have all their time again after. */
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
  // The button goes, and no browser tells that it was left.
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
              {t('undo')}
            </Button>
          )}
        </div>
      ))}
    </div>
  )
}
