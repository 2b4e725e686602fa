import { useEffect, useRef } from 'preact/hooks'
import { browserClock } from '../lib/clock.ts'
import { formatLeft } from '../lib/format.ts'
import { t } from '../lib/i18n.ts'
import { useSignal } from '../lib/signals.ts'

/** Time until the next attempt: updated each second, but once a minute for screen readers. */
export function Countdown({ seconds }: { readonly seconds: number }) {
  const now = useSignal(browserClock.now())
  const end = useRef(now.value + seconds * 1000).current
  const left = Math.ceil((end - now.value) / 1000)
  useEffect(() => {
    if (left <= 0) return
    return browserClock.setTimer(1000, () => (now.value = browserClock.now()))
  }, [now.value])
  if (left <= 0) return <p>{t('tries.over')}</p>
  const say = (time: string) => t('tries.wait', { left: time })
  const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
  return (
    <>
      {/* Elements that are replaced: a translated text cannot change. */}
      <p key={left} aria-hidden="true">
        {say(clock)}
      </p>
      <p class="visually-hidden">{say(formatLeft(Math.ceil(left / 60) * 60))}</p>
    </>
  )
}
