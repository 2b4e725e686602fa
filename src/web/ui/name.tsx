/** The name of a file, or an address: a line ends at its signs rather than inside of a word. */
export function Name({ of }: { readonly of: string }) {
  // One before the first part would be an empty line above a word wider than its column.
  const ends = of.length > 32 || !of.includes(' ') ? /(?=[.@_])/ : /(?=[@_])/
  const parts = of.split(ends).flatMap((part, place) => (place > 0 ? [<wbr />, part] : part))
  return <bdi title={of}>{parts}</bdi>
}
