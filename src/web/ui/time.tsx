import { formatMoment, formatRelative } from '../lib/format.ts'

/** A moment in words, the exact one on hover. */
export function Time({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={formatMoment(at)}>
      {formatRelative(at)}
    </time>
  )
}
