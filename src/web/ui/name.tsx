/** The name of a file, or an address: a line ends at its signs rather than inside of a word. */
export function Name({ of }: { readonly of: string }) {
  return <bdi>{of.split(/(?=[@_])/).flatMap((part) => [<wbr />, part])}</bdi>
}
