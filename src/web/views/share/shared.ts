import { api } from '../../lib/api.ts'
import type { Leaf } from '../../lib/tree.ts'

export interface SharedFile extends Leaf {
  readonly id: number
  /** Media type. */
  readonly type: string
  /** The service refuses to send it. */
  readonly isDamaged: boolean
}

/** What the service says to the page's script, beside the page (src/shares/pages.ts). */
export type PageData =
  | { readonly state: 'locked' | 'uploading'; readonly id: string }
  | {
      readonly state: 'open'
      readonly id: string
      readonly count: number
      /** Looking at a file counts as a download: not to be done by the way. */
      readonly hasLimit: boolean
    }
  | { readonly state: 'not_found' | 'expired' | 'download_limit' }

/** PublicShare of the contract's part 2, as far as it is read here. */
interface PublicShare {
  readonly files: readonly {
    readonly id: number
    readonly original_name: string
    readonly size: number
    readonly mime_type: string
    readonly damaged?: true
  }[]
}

/** The files as the page came with them: all of them are there unless there are very many. */
export async function readFiles(id: string, count: number): Promise<SharedFile[]> {
  const rows = [...document.querySelectorAll<HTMLElement>('#files li')]
  if (rows.length < count) return loadFiles(id)
  return rows.map((row) => ({
    id: Number(row.dataset['id']),
    path: row.querySelector('bdi')?.textContent ?? '',
    size: Number(row.dataset['size']),
    type: row.dataset['type'] ?? '',
    isDamaged: 'damaged' in row.dataset,
  }))
}

async function loadFiles(id: string): Promise<SharedFile[]> {
  const { files } = await api<PublicShare>('GET', `/api/public/shares/${id}`)
  return files.map((file) => ({
    id: file.id,
    path: file.original_name,
    size: file.size,
    type: file.mime_type,
    isDamaged: file.damaged ?? false,
  }))
}

export function fileHref(shareId: string, fileId: number): string {
  return `/api/shares/${shareId}/files/${fileId}`
}

/** The same file, to be shown and not saved. */
export const inlineHref = (href: string) => `${href}${href.includes('?') ? '&' : '?'}inline=1`

/** Proxies refuse longer addresses. */
const addressMax = 4000

/** The address of an archive of some files, or null when they are too scattered to be named. */
export function selectionHref(shareId: string, ids: Iterable<number>): string | null {
  const href = `/api/shares/${shareId}/download?files=${joinRanges([...ids])}`
  return href.length > addressMax ? null : href
}

/** `3,5-9`: files that were sent together have ids in a row. */
function joinRanges(ids: readonly number[]): string {
  const sorted = ids.toSorted((one, other) => one - other)
  const ends = sorted.map((id, n) =>
    sorted[n - 1] === id - 1 && sorted[n + 1] === id + 1 ? '' : id,
  )
  return ends.join().replaceAll(/,,+/g, '-')
}

export type Kind = 'image' | 'video' | 'audio' | 'text' | 'pdf' | 'other'

const textBytesMax = 1_000_000
const textTypes = /^text\/|^application\/(json|xml|javascript|x-sh|toml|yaml)$|\+(xml|json)$/
const textNames =
  /\.(txt|md|log|csv|json|xml|html?|svg|css|[cm]?[jt]sx?|py|rb|go|rs|[ch]|sh|sql|ya?ml|toml|ini)$/i

/** How a file can be looked at. HTML, SVG and XML are shown as the text they are, and never run. */
export function kindOf({ path, size, type }: SharedFile): Kind {
  const mime = type.toLowerCase()
  if (mime === 'application/pdf') return 'pdf'
  if (textTypes.test(mime) || textNames.test(path)) return size <= textBytesMax ? 'text' : 'other'
  const family = mime.split('/')[0]
  return family === 'image' || family === 'video' || family === 'audio' ? family : 'other'
}
