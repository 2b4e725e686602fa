import type { ListedFileRow } from '../files/sql.ts'
import { page, type Answer } from '../http/answer.ts'
import { escapeHtml, renderPage, renderUnlock, type PageFrame } from '../http/html.ts'
import { operation } from '../http/operation.ts'
import { CodedError, type ErrorCode } from '../lib/errors.ts'
import { formatBytes } from '../lib/format-bytes.ts'
import type { Settings } from '../settings/settings.ts'
import { introduce, type PublicSharesRoom } from './public-operations.ts'
import type { VisibleShare } from './public-shares.ts'
import type { ShareRow } from './sql.ts'

const listedMax = 1000
const declare = operation<PublicSharesRoom & { readonly settings: Settings }>()

/** The page behind a share's link, until the web UI takes its place. Works without JavaScript. */
export const sharePage = declare({
  id: 'sharePage',
  method: 'GET',
  path: '/s/{shareId}',
  summary: 'The page behind a link',
  tag: 'Pages',
  auth: 'none',
  answers: {
    200: { description: 'The page', contentType: 'text/html' },
    404: { description: 'The page says so', contentType: 'text/html' },
    410: { description: 'The page says so', contentType: 'text/html' },
  },
  errors: ['not_found', 'expired', 'download_limit'],
  async handle(room, { exchange, params }) {
    const name = params['shareId']!
    const frame = room.settings.values
    try {
      const found = await room.publicShares.findVisible(name, introduce(exchange))
      const { share, isUnlocked } = found
      if (share.state === 'draft') return page(renderUploading(found, frame))
      if (!isUnlocked) return page(renderLocked(share, frame))
      return page(renderOpen(share, await room.publicShares.listFiles(share), frame))
    } catch (error) {
      return renderRefusal(error, frame)
    }
  },
})

const refusals: Partial<Record<ErrorCode, [title: string, text: string]>> = {
  not_found: ['There is nothing here', 'The link may be incomplete, or its files were deleted.'],
  expired: ['This link has expired', 'Ask the sender for a new one.'],
  download_limit: [
    'This link was used up',
    'Its files were downloaded as often as the sender allowed.',
  ],
}

function renderRefusal(error: unknown, frame: PageFrame): Answer {
  if (!(error instanceof CodedError)) throw error
  const texts = refusals[error.code]
  if (!texts) throw error
  const [title, text] = texts
  return page(renderPage(title, `<h1>${title}</h1><p>${text}</p>`, frame), error.status)
}

function renderLocked(share: ShareRow, frame: PageFrame): string {
  const words = 'This share is protected by a password.'
  return renderUnlock(share.name || 'Files for you', words, `/api/shares/${share.id}/verify`, frame)
}

/** A draft that its owner has published: there is nothing to unlock or to download yet. */
function renderUploading({ share, isUnlocked }: VisibleShare, frame: PageFrame): string {
  const title = share.name || 'Files for you'
  return renderPage(
    title,
    `<h1>${escapeHtml(title)}</h1>
${isUnlocked ? renderMessage(share) : ''}
<p>The files are still being uploaded. Open this link again in a while.</p>`,
    frame,
  )
}

function renderMessage({ message }: ShareRow): string {
  return message ? `<p class="message">${escapeHtml(message)}</p>` : ''
}

function renderOpen(share: ShareRow, files: readonly ListedFileRow[], frame: PageFrame): string {
  const title = share.name || 'Files for you'
  const base = `/api/shares/${share.id}`
  const rows = files
    .slice(0, listedMax)
    .map(
      (file) =>
        `<li><a href="${base}/files/${file.id}">${escapeHtml(file.originalName)}</a>
<span>${formatBytes(file.size)}</span></li>`,
    )
    .join('\n')
  const more = files.length - listedMax
  return renderPage(
    title,
    `<h1>${escapeHtml(title)}</h1>
${renderMessage(share)}
<p><a class="all" href="${base}/download">Download everything as ZIP</a>
<span>${formatBytes(share.totalSize)}</span></p>
<ul>
${rows}
</ul>
${more > 0 ? `<p>and ${more} more files, in the ZIP</p>` : ''}`,
    frame,
  )
}
