// The names that the service gives files in an archive: `EntryNames` and `segments.ts` of its
// bytes/archive/. Lists, pages and archives agree, except for paths that are too long.

/** Windows refuses these, and dots and spaces at the end. */
const refusedCharacters = /[. ]+|[<>:"|?*\p{Cc}\u202a-\u202e\u2066-\u2069]/gu
const deviceName = /^(CON|PRN|AUX|NUL|CON(IN|OUT)\$|(COM|LPT)[0-9¹²³]) *(\.|$)/i
/** Not the first character of a name, without spaces, at most 16 characters; `.tar.gz` is one. */
const extension = /[^/]((\.tar)?\.[^./ ]{0,16})$/i

function portable(segment: string): string {
  const clean = segment.replace(refusedCharacters, (found, offset: number) =>
    '. '.includes(found[0]!) && offset + found.length < segment.length
      ? found
      : '_'.repeat(found.length),
  )
  return deviceName.test(clean) ? `_${clean}` : clean
}

/** The form in which paths are compared: equal ones are one on some file system. */
export function fold(path: string): string {
  return path
    .normalize('NFC')
    .toLowerCase()
    .toUpperCase()
    .normalize('NFC')
    .replaceAll('\u0130', 'I')
}

type Paths = Pick<ReadonlySet<string>, 'has'>

/**
 * `a?.txt` → `a_.txt`, then `A_.TXT` → `A_ (1).TXT`.
 * @param taken folded paths
 * @param next the next number of each; empty after a path became free
 */
export function archivePath(path: string, taken: Paths, next: Map<string, number>): string {
  const wanted = path.split('/').map(portable).join('/')
  const end = extension.exec(wanted)?.[1] ?? ''
  const stem = wanted.slice(0, wanted.length - end.length)
  const key = fold(wanted)
  let unique = wanted
  for (let number = next.get(key) ?? 1; taken.has(fold(unique)); number++) {
    unique = `${stem} (${number})${end}`
    next.set(key, number + 1)
  }
  return unique
}
