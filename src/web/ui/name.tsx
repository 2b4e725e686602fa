/** The name of a file, or an address: a line ends at its signs rather than inside of a word. */
export function Name({ of }: { readonly of: string }) {
  const ends = of.length > 32 ? /(?=[.@_])/ : /(?=[@_])/
  return <bdi>{of.split(ends).flatMap((part) => [<wbr />, part])}</bdi>
}
