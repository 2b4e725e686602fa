import { api } from '../../lib/api.ts'
import { iconOf } from '../../lib/file-icons.ts'
import { listedPath, type ListedFile } from '../../lib/share.ts'
import type { Leaf } from '../../lib/tree.ts'

export interface SharedFile extends Leaf {
  readonly id: number
  /** Media type. */
  readonly type: string
  /** When it was last changed at its sender, if that is known. */
  readonly modifiedAt: string | undefined
  /** Downloads of it are refused. */
  readonly isDamaged: boolean
  readonly hasThumbnail: boolean
}

/** What the page shows of a published draft. */
export type UploadPhase = 'running' | 'paused' | 'abandoned'

export type ListView = 'grid' | 'list'

export interface OpenPage {
  readonly state: 'open'
  readonly id: string
  readonly count: number
  /** How files are shown at first; null where there is no choice. */
  readonly view: ListView | null
}

/** Data for the page's script (src/pages/share-pages.ts). */
export type PageData =
  | { readonly state: 'locked'; readonly id: string }
  | { readonly state: 'uploading'; readonly id: string; readonly phase: UploadPhase }
  | OpenPage
  | { readonly state: 'not_found' | 'expired' | 'download_limit' | 'code' | 'account' }

/** The contract's `PublicShare` (part 2), as far as it is used. */
interface PublicShare {
  readonly files: readonly ListedFile[]
}

/** The files in the page, and further ones if there are very many. */
export async function readFiles(id: string, count: number): Promise<SharedFile[]> {
  const rows = [...document.querySelectorAll<HTMLElement>('#files li')]
  if (rows.length < count) return loadFiles(id)
  return rows.map((row) => ({
    id: Number(row.dataset['id']),
    path: row.dataset['path'] ?? '',
    size: Number(row.dataset['size']),
    type: row.dataset['type'] ?? '',
    modifiedAt: row.querySelector('time')?.dateTime,
    isDamaged: 'damaged' in row.dataset,
    hasThumbnail: 'thumbnail' in row.dataset,
  }))
}

async function loadFiles(id: string): Promise<SharedFile[]> {
  const { files } = await api<PublicShare>('GET', `/api/public/shares/${id}`)
  return files.map(sharedFileOf)
}

export const sharedFileOf = (file: ListedFile): SharedFile => ({
  id: file.id,
  path: listedPath(file),
  size: file.size,
  type: file.mime_type,
  modifiedAt: file.modified_at,
  isDamaged: file.damaged ?? false,
  hasThumbnail: file.thumbnail ?? false,
})

export function fileHref(shareId: string, fileId: number): string {
  return `/api/shares/${shareId}/files/${fileId}`
}

/** The address of the thumbnail of a file; owners see their own by `?as=owner` too. */
export const thumbnailHref = (href: string) => href.replace(/(\/download)?(?=\?|$)/, '/thumbnail')

/** The address that shows the file instead of saving it. */
export const inlineHref = (href: string) => `${href}${href.includes('?') ? '&' : '?'}inline=1`

/** Proxies refuse longer addresses. */
const addressMax = 4000

/** The address of an archive of these files, or null when it would be too long. */
export function selectionHref(shareId: string, ids: Iterable<number>): string | null {
  const href = `/api/shares/${shareId}/download?files=${joinRanges([...ids])}`
  return href.length > addressMax ? null : href
}

/** `3,5-9`: files of one upload have consecutive ids. */
export function joinRanges(ids: readonly number[]): string {
  const sorted = ids.toSorted((one, other) => one - other)
  const ends = sorted.map((id, n) =>
    sorted[n - 1] === id - 1 && sorted[n + 1] === id + 1 ? '' : id,
  )
  return ends.join().replaceAll(/,,+/g, '-')
}

export type Kind = 'image' | 'video' | 'audio' | 'text' | 'pdf' | 'zip' | 'other'

const textBytesMax = 1_000_000
const textTypes = /^text\/|[/+](json|xml|javascript)$/
const textNames = /\.(txt|md|markdown|log|csv|svg|ini)$/i

export const isCode = (path: string) => iconOf(path)?.kind === 'code'

/** Where PDF files can be shown in a frame. With a touch screen, many browsers show one page. */
export const framesPdf = () =>
  navigator.pdfViewerEnabled && !matchMedia('(pointer: coarse)').matches

/** The service shows these, even if they were sent without a type (src/bytes/media-types.ts). */
const shownNames = /\.(avif|gif|jpe?g|png|webp|flac|m4a|mp3|ogg|wav|mp4|webm|pdf)$/i

/** Knows films, too. */
const player = new Audio()

/** The kind of preview. HTML, SVG and XML are shown as source text, and never run. */
export function kindOf({ path, size, type, isDamaged }: SharedFile): Kind {
  const mime = type.toLowerCase()
  if (isDamaged) return 'other'
  if (mime === 'application/pdf') return 'pdf'
  if (/^application\/(x-)?zip\b/.test(mime) || /\.zip$/i.test(path)) return 'zip'
  if (textTypes.test(mime) || textNames.test(path) || isCode(path)) {
    return size <= textBytesMax ? 'text' : 'other'
  }
  if (mime === 'application/octet-stream') {
    return shownNames.test(path) ? (iconOf(path)!.kind as Kind) : 'other'
  }
  const family = mime.split('/')[0] as Kind
  if (family === 'image') return family
  // Browsers play many films of phones, but deny their type.
  const isPlayed = player.canPlayType(mime.replace('quicktime', 'mp4'))
  return isPlayed && (family === 'video' || family === 'audio') ? family : 'other'
}
