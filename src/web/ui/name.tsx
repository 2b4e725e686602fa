/** The name of a file, or an address: a line ends at its signs rather than inside of a word. */
export function Name({ of }: { readonly of: string }) {
  // One before the first part would be an empty line above a word wider than its column.
  const ends = of.length > 32 || !of.includes(' ') ? /(?=[.@_])/ : /(?=[@_])/
  const parts = of.split(ends).flatMap((part, place) => (place > 0 ? [<wbr />, part] : part))
  return <bdi title={of}>{parts}</bdi>
}

/** Longer ones are divided where they have no room. */
const wholeMax = 24

/**
 * The name of a file, on two lines where one has no room. What has none then is left out before its
 * end, which says its kind.
 */
export function FileName({ of }: { readonly of: string }) {
  if (of.length <= wholeMax) return <Name of={of} />
  const [end] = /(?<=[\s_-])\S.{3,15}$/su.exec(of) ?? /.{10}$/su.exec(of)!
  return (
    <bdi title={of}>
      <span class="visually-hidden">{of}</span>
      <span class="cut" aria-hidden="true">
        <span>{of.slice(0, -end.length)}</span>
        <span>{end}</span>
      </span>
    </bdi>
  )
}
