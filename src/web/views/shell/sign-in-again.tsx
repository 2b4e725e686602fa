import { signal } from '@preact/signals'
import { onSessionLost } from '../../lib/api.ts'
import { useLoad } from '../../ui/state.tsx'

let waiting: Promise<void> | null = null
const resume = signal<(() => void) | null>(null)

/** From now on a login that ends asks for another one, over the page: nothing is left or lost. */
export function askWhenSessionEnds(): void {
  onSessionLost(() => {
    waiting ??= new Promise<void>((resolve) => {
      resume.value = () => {
        waiting = null
        resume.value = null
        resolve()
      }
    })
    return waiting
  })
}

/** The dialog is loaded as soon as the app stands, and again when that failed and it is needed. */
export function SignInAgain() {
  const done = resume.value
  const { data } = useLoad(() => import('./sign-in-dialog.tsx'), [done !== null])
  return done && data && <data.SignInDialog onDone={done} />
}
