import type { ListedFileRow } from '../../bytes/files-sql.ts'
import { escapeHtml } from '../../http/html.ts'
import { withoutDirectionMarks } from '../../lib/names.ts'
import type { FilesSummary } from '../public-shares.ts'

/** How files are shown. */
export type ListView = 'grid' | 'list'

/** Fewer pictures need no grid. */
const picturesMin = 3

/**
 * How the files are shown at first; null where there is no choice. Decided from the files on the
 * page, which are the first ones of a very long list.
 */
export function firstViewOf({ first }: Pick<FilesSummary, 'first'>): ListView | null {
  if (first.filter(({ hasThumbnail }) => hasThumbnail).length < picturesMin) return null
  return first.every(({ mimeType }) => /^(image|video)\//i.test(mimeType)) ? 'grid' : 'list'
}

/** A row on a phone, which is what people see first; the others load when they come into view. */
const eagerTiles = 3

/** The picture of a tile, as the script shows it too. */
export function renderTile(shareId: string, file: ListedFileRow, index: number): string {
  if (!file.hasThumbnail) return '<span class="tile"></span>'
  const source = `/api/shares/${shareId}/files/${file.id}/thumbnail`
  const loading = index < eagerTiles ? ' fetchpriority="high"' : ' loading="lazy"'
  return `<span class="tile${isFilm(file) ? ' film' : ''}"
><img src="${source}" alt=""${loading}></span>`
}

function isFilm({ mimeType }: Pick<ListedFileRow, 'mimeType'>): boolean {
  return /^video\//i.test(mimeType)
}

/** A single thumbnail among other files is in its row alone. */
const shownMin = 2
const shownMax = 4

/**
 * The first thumbnails, above the list, and how many more files there are. Their places are
 * reserved before they load.
 */
export function renderStrip(shareId: string, { first, count }: FilesSummary): string {
  const files = first.filter(({ hasThumbnail, isDamaged }) => hasThumbnail && !isDamaged)
  if (count === 0 || files.length < Math.min(shownMin, count)) return ''
  const more = files.length < shownMax || count === shownMax ? 0 : count - shownMax + 1
  const pictures = files.slice(0, shownMax).map((file, index) => {
    const { id, entryName } = file
    const href = `/api/shares/${shareId}/files/${id}`
    const name = escapeHtml(withoutDirectionMarks(entryName).split('/').at(-1)!)
    const others = more > 0 && index === shownMax - 1 ? `<span class="more">+${more}</span>` : ''
    const film = isFilm(file) && !others ? ' class="film"' : ''
    return `<a${film} href="${href}?inline=1" data-id="${id}"
><img src="${href}/thumbnail" alt="${name}" width="320" height="240">${others}</a>`
  })
  return `<p id="strip">${pictures.join('\n')}</p>`
}
