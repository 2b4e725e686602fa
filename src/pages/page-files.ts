import { selectionKey } from '../bytes/send/content.ts'
import type { ListedFileRow } from '../bytes/files-sql.ts'
import { escapeHtml } from '../http/html.ts'
import type { PageTexts } from '../i18n/texts.ts'
import { collatorIn, sizeIn, type Language } from '../lib/language.ts'
import { withoutDirectionMarks } from '../lib/names.ts'
import type { FilesSummary } from '../shares/public-shares.ts'
import { renderTile, type ListView } from '../shares/thumbnails/pictures.ts'

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
  return `<p><a class="button primary wide" href="${href}" download>${downloadIcon}
${escapeHtml(text)}</a></p>`
}

/** `download` of src/web/ui/icons.ts. */
const downloadIcon =
  '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">' +
  '<path d="M12 4v11M7 10l5 5 5-5M4 20h16"/></svg>'

/** Compares as the script's tree: folders before files, and names as people count. */
export function byPlace(locale: string) {
  const { compare } = collatorIn(locale)
  return (one: ListedFileRow, other: ListedFileRow) => {
    const [parts, others] = [one.entryName.split('/'), other.entryName.split('/')]
    const place = parts.findIndex((part, index) => part !== others[index])
    const [part, another] = [parts[place], others[place]]
    if (part === undefined || another === undefined) return 0
    const [isFile, isOtherFile] = [place === parts.length - 1, place === others.length - 1]
    return isFile === isOtherFile ? compare(part, another) : isFile ? 1 : -1
  }
}

/** HTML of the first files, and how many more there are. */
export function renderFiles(
  words: Words,
  shareId: string,
  { first, count }: FilesSummary,
  view: ListView | null,
): string {
  const isGrid = view === 'grid'
  const dayOf = ({ modifiedAt }: ListedFileRow) => modifiedAt && words.dates.format(modifiedAt)
  // A date that all files share tells none from another.
  const isDated = new Set(first.map(dayOf)).size > 1
  const shown = isDated ? first : first.map((file) => ({ ...file, modifiedAt: null }))
  const rows = shown.map((file, index) => renderRow(words, shareId, file, index))
  const more = count - rows.length
  return `<div${isGrid ? ' class="tiles"' : ''}><ul class="rows">
${rows.join('\n')}
</ul></div>
${more > 0 ? `<p>${words.texts.more(more)}</p>` : ''}`
}

/** HTML of the name of a file, as `FileName` of src/web/ui/name.tsx shows it. */
function renderName(name: string): string {
  const whole = escapeHtml(name)
  if (name.length <= 24) return `<bdi>${whole}</bdi>`
  const [end] = /(?<=[\s_-])\S.{3,15}$/su.exec(name) ?? /.{10}$/su.exec(name)!
  return `<bdi title="${whole}"><span class="visually-hidden">${whole}</span><span class="cut"
aria-hidden="true"><span>${escapeHtml(name.slice(0, -end.length))}</span><span>${escapeHtml(
    end,
  )}</span></span></bdi>`
}

/** As tall as the row that the script makes of it. */
function renderRow(
  { texts, language, dates }: Words,
  shareId: string,
  file: ListedFileRow,
  index: number,
): string {
  const { id, entryName, size, mimeType, modifiedAt, isDamaged, hasThumbnail } = file
  const href = `/api/shares/${shareId}/files/${id}`
  const name = withoutDirectionMarks(entryName)
  const attributes = `data-id="${id}" data-path="${escapeHtml(name)}" data-size="${size}"
data-type="${escapeHtml(mimeType)}"${hasThumbnail ? ' data-thumbnail' : ''}`
  const date = modifiedAt
    ? `<span class="wide-only"> · <time datetime="${modifiedAt.toISOString()}"
>${dates.format(modifiedAt)}</time></span>`
    : ''
  const content = `${renderTile(shareId, file, index)}<span class="stack-none"
>${renderName(name)}
<small class="faint">${sizeIn(language, size)}${date}</small></span>`
  return isDamaged
    ? `<li ${attributes} data-damaged><span class="main entry">${content}
<span class="badge warn">${texts.damaged}</span></span></li>`
    : `<li ${attributes}><a class="main entry" href="${href}" download>${content}</a></li>`
}
