import { oneLine, personInitials, shortFileName, type Block, type Person } from './blocks.ts'
import { fullNameOf, nameOf, type Wording } from './wording.ts'

/** A file that an email lists; the size in bytes. */
export interface ListedFile {
  readonly name: string
  readonly size: number
}

/** Most files that an email lists. */
export const listedFilesMax = 20

/** @param say what the person did, after a name */
function person(who: Person, say: (name: string) => string): Block {
  const [name, address] = [nameOf(who), oneLine(who.address)]
  return {
    kind: 'person',
    initials: personInitials(who),
    text: oneLine(say(fullNameOf(who))),
    lead: oneLine(say(name)),
    address: name === address ? '' : address,
  }
}

/** The heading with the person above it: without a name, it says what the person did. */
export function opening(who: Person, name: string, say: (name: string) => string) {
  if (oneLine(name) !== '') return { heading: oneLine(name), from: person(who, say) }
  const heading = oneLine(say(nameOf(who))).replace(/[.。]$/, '')
  return { heading, from: person(who, (itself) => itself) }
}

/** Number and size of files. */
export function sumOf(
  { fileCount, size }: { readonly fileCount: number; readonly size: number },
  wording: Wording,
): [string, string] {
  return [wording.texts.files(fileCount), wording.size(size)]
}

/** The first files, ordered by path, and how many more there are. */
export function filesOf(
  first: readonly ListedFile[],
  count: number,
  { texts, size }: Wording,
): Block[] {
  if (first.length === 0) return []
  const files = first
    .slice(0, listedFilesMax)
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }))
    .map((file) => ({ name: shortFileName(file.name), size: size(file.size) }))
  const more = (shown: number) => (count > shown ? texts.more(count - shown) : null)
  return [{ kind: 'files', files, more }]
}

export function button(words: string, url: string, { texts }: Wording): Block {
  return { kind: 'button', text: oneLine(words), url: oneLine(url), orLink: texts.orLink }
}
