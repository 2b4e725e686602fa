import { formatMoment, formatRelative } from '../lib/format.ts'

/** A relative time, with the exact one on hover. */
export function Time({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={formatMoment(at)}>
      {formatRelative(at)}
    </time>
  )
}
