import { escapeHtml } from '../../http/html.ts'
import { withoutDirectionMarks } from '../../lib/names.ts'
import type { FilesSummary } from '../public-shares.ts'
import { isFilm } from './grid.ts'

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
