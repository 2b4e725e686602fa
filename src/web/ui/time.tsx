import { browserClock } from '../lib/clock.ts'
import { formatMoment, formatRelative } from '../lib/format.ts'
import { t, type TextKey } from '../lib/i18n.ts'

/** A relative time, with the exact one on hover. */
export function Time({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={formatMoment(at)}>
      {isNow(at) ? t('common.just_now') : formatRelative(at)}
    </time>
  )
}

/** When something ends, if it does. In a table the head of the column says the verb. */
export function Ends(props: {
  readonly at: string | null
  readonly verb?: TextKey
  readonly isRow?: boolean
}) {
  const { at, verb = 'shares.expires', isRow } = props
  if (!at) return <>{t('ready.no_expiry')}</>
  return (
    <>
      <span class={isRow ? 'narrow-head' : undefined}>{t(verb)} </span>
      <Time at={at} />
    </>
  )
}

/** Clocks of service and browser may differ by a little. */
const isNow = (at: string) => Math.abs(browserClock.now() - Date.parse(at)) < 60_000
