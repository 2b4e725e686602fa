import { useEffect } from 'preact/hooks'
import { onPasswordNeeded } from '../../lib/api.ts'
import { browserClock } from '../../lib/clock.ts'
import { signal, useSignal } from '../../lib/signals.ts'
import { useLoad } from '../../ui/state.tsx'

let waiting: Promise<void> | null = null
const asked = signal<{
  readonly onDone: () => void
  /** Gives up the action that needs the password; null where that is impossible. */
  readonly onCancel: (() => void) | null
  /** Whether one of several factors is enough. */
  readonly needsOne: boolean
} | null>(null)

/** Makes actions that need the password ask for it in a dialog, so that the page stays. */
export function askForPassword(): void {
  onPasswordNeeded((error) => {
    waiting ??= new Promise<void>((resolve, reject) => {
      const end = (settle: () => void) => () => {
        waiting = null
        asked.value = null
        settle()
      }
      const isLost = error.code === 'unauthorized'
      const onCancel = isLost ? null : end(() => reject(error))
      const needsOne = error.details['factors'] === 'one'
      asked.value = { onDone: end(resolve), onCancel, needsOne }
    })
    return waiting
  })
}

/**
 * The dialog is loaded after the first view, because the connection may be lost when it is needed.
 */
export function SignInAgain() {
  const now = asked.value
  const isDue = useSignal(false)
  useEffect(() => browserClock.setTimer(1000, () => (isDue.value = true)), [])
  const { data } = useLoad(
    async () => (isDue.value || now ? import('../manage.ts') : null),
    [isDue.value, now !== null],
  )
  return now && data && <data.SignInDialog {...now} />
}
