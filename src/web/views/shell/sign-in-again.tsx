import { useEffect } from 'preact/hooks'
import { onPasswordNeeded, type ApiError } from '../../lib/api.ts'
import { browserClock } from '../../lib/clock.ts'
import { proxyUser } from '../../lib/page-data.ts'
import { me, signInByProxy } from '../../lib/session.ts'
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
    const isLost = error.code === 'unauthorized'
    waiting ??= signInAgain(isLost)
      .then((isDone) => (isDone ? undefined : ask(error, isLost)))
      .finally(() => (waiting = null))
    return waiting
  })
}

/** Without a dialog, where the proxy knows the user. */
async function signInAgain(isLost: boolean): Promise<boolean> {
  if (!isLost || !(await signInByProxy())) return false
  // The page shows what belongs to one account.
  if (proxyUser()?.toLowerCase() !== me.value?.email.toLowerCase()) location.reload()
  return true
}

function ask(error: ApiError, isLost: boolean): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const end = (settle: () => void) => () => {
      asked.value = null
      settle()
    }
    const onCancel = isLost ? null : end(() => reject(error))
    const needsOne = error.details['factors'] === 'one'
    asked.value = { onDone: end(resolve), onCancel, needsOne }
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
