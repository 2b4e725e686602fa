import { selectionKey } from '../bytes/send/selection.ts'
import type { ListedFileRow } from '../bytes/files-sql.ts'
import { escapeHtml, escapeName } from '../http/html.ts'
import type { PageTexts } from '../i18n/texts.ts'
import { sizeIn, type Language } from '../lib/language.ts'
import type { FilesSummary } from '../shares/public-shares.ts'
import { renderTile, type ListView } from '../shares/thumbnails/grid.ts'

interface Words {
  readonly texts: PageTexts['share']
  readonly language: Language
  readonly dates: Intl.DateTimeFormat
}

/**
 * HTML of the button that downloads all undamaged files: an archive with a damaged file is refused.
 */
export function renderDownloads(words: Words, shareId: string, files: FilesSummary): string {
  const { texts } = words
  const { count, damaged } = files
  if (count === 0) return `<p>${texts.empty}</p>`
  const notice = damaged > 0 ? `<p class="problem-text">${texts.damagedFiles(damaged)}</p>` : ''
  return count > damaged ? renderButton(words, shareId, files) + notice : notice
}

function renderButton({ texts, language }: Words, shareId: string, files: FilesSummary): string {
  const { count, damaged, wholeBytes, wholeIds } = files
  const size = sizeIn(language, wholeBytes)
  const base = `/api/shares/${shareId}`
  const chosen = wholeIds ? `?files=${selectionKey(wholeIds)}` : ''
  const only = count - damaged === 1 && files.first.find(({ isDamaged }) => !isDamaged)
  const [href, text] = only
    ? [`${base}/files/${only.id}`, texts.one(size)]
    : [`${base}/download${chosen}`, texts.all(size)]
  return `<p><a class="button primary" href="${href}" download>${escapeHtml(text)}</a></p>`
}

/** HTML of the first files, and how many more there are. */
export function renderFiles(
  words: Words,
  shareId: string,
  { first, count }: FilesSummary,
  view: ListView | null,
): string {
  const isGrid = view === 'grid'
  const rows = first.map((file, index) =>
    renderRow(words, shareId, file, isGrid ? renderTile(shareId, file, index) : ''),
  )
  const more = count - rows.length
  return `<div${isGrid ? ' class="tiles"' : ''}><ul class="rows">
${rows.join('\n')}
</ul></div>
${more > 0 ? `<p>${words.texts.more(more)}</p>` : ''}`
}

/** @param tile HTML before the name */
function renderRow(
  { texts, language, dates }: Words,
  shareId: string,
  file: ListedFileRow,
  tile: string,
): string {
  const { id, entryName, size, mimeType, modifiedAt, isDamaged, hasThumbnail } = file
  const href = `/api/shares/${shareId}/files/${id}`
  const attributes = `data-id="${id}" data-size="${size}" data-type="${escapeHtml(mimeType)}"${
    hasThumbnail ? ' data-thumbnail' : ''
  }`
  const date = modifiedAt
    ? ` · <time datetime="${modifiedAt.toISOString()}">${dates.format(modifiedAt)}</time>`
    : ''
  if (isDamaged) {
    return `<li ${attributes} data-damaged><span class="main entry"
>${tile}<bdi>${escapeName(entryName)}</bdi></span> <span class="badge warn"
>${texts.damaged}</span></li>`
  }
  return `<li ${attributes}><a class="main entry" href="${href}" download
>${tile}<bdi>${escapeName(entryName)}</bdi></a>
<span class="faint">${sizeIn(language, size)}${date}</span></li>`
}
