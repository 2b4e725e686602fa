import type { ListedFileRow } from '../../bytes/files-sql.ts'
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

export function isFilm({ mimeType }: Pick<ListedFileRow, 'mimeType'>): boolean {
  return /^video\//i.test(mimeType)
}
