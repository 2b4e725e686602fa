// Takes the place of @preact/signals on the page for signing in (`src/web/build.mjs`), which is so
// small that all of it can be drawn again when anything changes. Saves 2.7 KB of its 15.
import type { Signal } from '@preact/signals'
import { useRef } from 'preact/hooks'

let draw = () => {}
let isDue = false

/** The function that draws the whole page. */
export function drawWith(whole: () => void): void {
  draw = whole
}

export function signal<T>(value: T): Pick<Signal<T>, 'value'> {
  return {
    get value() {
      return value
    },
    set value(next) {
      if (Object.is(value, next)) return
      value = next
      if (isDue) return
      isDue = true
      queueMicrotask(() => {
        isDue = false
        draw()
      })
    },
  }
}

export function useSignal<T>(value: T): Pick<Signal<T>, 'value'> {
  const kept = useRef<Pick<Signal<T>, 'value'> | null>(null)
  return (kept.current ??= signal(value))
}
