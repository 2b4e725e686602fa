import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { onSessionLost } from '../../lib/api.ts'
import { browserClock } from '../../lib/clock.ts'
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

/** The dialog is loaded behind the first view: there may be no line when it is needed. */
export function SignInAgain() {
  const done = resume.value
  const [isDue, setDue] = useState(false)
  useEffect(() => browserClock.setTimer(1000, () => setDue(true)), [])
  const { data } = useLoad(
    async () => (isDue || done ? import('./sign-in-dialog.tsx') : null),
    [isDue, done !== null],
  )
  return done && data && <data.SignInDialog onDone={done} />
}
