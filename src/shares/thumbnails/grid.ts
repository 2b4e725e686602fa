import type { ListedFileRow } from '../../bytes/files-sql.ts'
import type { FilesSummary } from '../public-shares.ts'

/** How files are shown. */
export type ListView = 'grid' | 'list'

/** A grid with more icons than this would show less than a list. */
const picturedPartMin = 0.6
const filesMin = 2
/** A grid at first, if all files are pictures or films. */
const gridFilesMin = 4

/**
 * How the files are shown at first; null where there is no choice. Decided from the files on the
 * page, which are the first ones of a very long list.
 */
export function firstViewOf({ first }: Pick<FilesSummary, 'first'>): ListView | null {
  const pictured = first.filter(({ hasThumbnail }) => hasThumbnail).length
  if (first.length < filesMin || pictured < first.length * picturedPartMin) return null
  const arePictures = first.every(({ mimeType }) => /^(image|video)\//i.test(mimeType))
  return arePictures && first.length >= gridFilesMin ? 'grid' : 'list'
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
