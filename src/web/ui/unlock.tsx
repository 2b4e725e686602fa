import { useMemo } from 'preact/hooks'
import { api, ApiError } from '../lib/api.ts'
import { browserClock } from '../lib/clock.ts'
import { cookieProblem } from '../lib/cookie-problem.ts'
import { t } from '../lib/i18n.ts'
import { useSignal } from '../lib/signals.ts'
import { Button } from './button.tsx'
import { Field } from './field.tsx'
import { isLastTry, Problem, useAction } from './state.tsx'

/** A page that asks again so soon after the right password has lost the cookie. */
const reloadMsMax = 60_000

/** Whether this page was unlocked just before it was loaded; known without storage or cookies. */
function wasUnlocked(): boolean {
  const { unlockedAt } = (history.state ?? {}) as { unlockedAt?: number }
  if (unlockedAt) history.replaceState(null, '')
  return browserClock.now() - (unlockedAt ?? 0) < reloadMsMax
}

/** Asks for the password of a link; calls `onUnlocked` once the browser has its cookie. */
export function Unlock(props: { readonly path: string; readonly onUnlocked: () => void }) {
  const password = useSignal('')
  const action = useAction()
  const wrong = sayWrong(action.error)
  // Then a countdown follows.
  const isLast = isLastTry(action.error)
  const lost = useMemo(() => (wasUnlocked() ? cookieProblem() : null), [])
  const submit = async () => {
    const options = { body: { password: password.value }, keepUnauthorized: true }
    const unlock = () => api('POST', props.path, options)
    // One after the other: one cookie has all unlocked links, and each answer adds one to those of
    // its request. Without https there are no locks.
    await (navigator.locks?.request('unlock', unlock) ?? unlock())
    history.replaceState({ unlockedAt: browserClock.now() }, '')
    props.onUnlocked()
  }
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        const field = event.currentTarget.querySelector('input')
        void action.run(submit).then(() => field?.select())
      }}
    >
      <Field
        label={t('common.password')}
        type="password"
        autoComplete="off"
        required
        autoFocus
        maxLength={256}
        value={password}
        problem={isLast ? undefined : wrong}
      />
      {(isLast || !wrong) && (
        <Problem error={action.error ?? lost} texts={{ wrong_password: wrong! }} />
      )}
      <Button kind="primary" isWide type="submit" busy={action.isBusy}>
        {t('unlock.action')}
      </Button>
    </form>
  )
}

/** Says that the password was wrong, and how many attempts are left; else undefined. */
function sayWrong(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.code !== 'wrong_password') return
  const { triesLeft: left } = error
  return left === null ? t('unlock.wrong') : `${t('unlock.wrong')} ${t('unlock.left', { n: left })}`
}
