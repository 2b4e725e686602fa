import { signal } from '@preact/signals'
import { browserClock } from '../lib/clock.ts'
import { t } from '../lib/i18n.ts'
import { Button } from './button.tsx'

interface Toast {
  readonly id: number
  readonly text: string
  readonly onUndo: (() => void) | null
}

const shown = signal<readonly Toast[]>([])
const timers = new Map<number, () => void>()
let lastId = 0

/**
 * Confirms what has happened, for six seconds; with `onUndo` for ten, and `onGone` runs once the
 * time to undo is over. Problems are never toasts: they stay where they happened.
 */
export function toast(
  text: string,
  options: { onUndo?: () => void; onGone?: () => void } = {},
): void {
  const id = (lastId += 1)
  const { onUndo, onGone } = options
  const undo = onUndo
    ? () => {
        remove(id)
        onUndo()
      }
    : null
  shown.value = [...shown.value.slice(-2), { id, text, onUndo: undo }]
  const end = () => {
    remove(id)
    onGone?.()
  }
  timers.set(id, browserClock.setTimer(onUndo ? 10_000 : 6000, end))
}

function remove(id: number): void {
  timers.get(id)?.()
  timers.delete(id)
  shown.value = shown.value.filter((one) => one.id !== id)
}

export function Toasts() {
  return (
    <div class="toasts" role="status">
      {shown.value.map(({ id, text, onUndo }) => (
        <div class="toast" key={id}>
          <span>{text}</span>
          {onUndo && (
            <Button kind="quiet" onClick={onUndo}>
              {t('undo')}
            </Button>
          )}
        </div>
      ))}
    </div>
  )
}
