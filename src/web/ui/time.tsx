import { browserClock } from '../lib/clock.ts'
import { formatMoment, formatRelative } from '../lib/format.ts'
import { t } from '../lib/i18n.ts'

/** A relative time, with the exact one on hover. */
export function Time({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={formatMoment(at)}>
      {isNow(at) ? t('just_now') : formatRelative(at)}
    </time>
  )
}

/** Clocks of service and browser may differ by a little. */
const isNow = (at: string) => Math.abs(browserClock.now() - Date.parse(at)) < 60_000
