import type { ListedFileRow } from '../files/sql.ts'
import { page, type Answer } from '../http/answer.ts'
import { escapeHtml, type Shell } from '../http/html.ts'
import { operation } from '../http/operation.ts'
import { CodedError, type ErrorCode } from '../lib/errors.ts'
import { formatBytes } from '../lib/format-bytes.ts'
import { introduce, type PublicSharesRoom } from './public-operations.ts'
import type { VisibleShare } from './public-shares.ts'
import type { ShareRow } from './sql.ts'

const listedMax = 1000
const declare = operation<PublicSharesRoom & { readonly shell: Shell }>()

/** The page behind a share's link. Lists and downloads work without JavaScript. */
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
    const { shell } = room
    try {
      const found = await room.publicShares.findVisible(name, introduce(exchange))
      const { share, isUnlocked } = found
      if (share.state === 'draft') return page(renderUploading(found, shell))
      if (!isUnlocked) return page(renderLocked(share, shell))
      return page(renderOpen(share, await room.publicShares.listFiles(share), shell))
    } catch (error) {
      return renderRefusal(error, shell)
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

function renderRefusal(error: unknown, shell: Shell): Answer {
  if (!(error instanceof CodedError)) throw error
  const texts = refusals[error.code]
  if (!texts) throw error
  const [title, text] = texts
  const body = `<main class="plain stack"><h1>${title}</h1><p>${text}</p></main>`
  const data = { state: error.code }
  return page(shell.render({ entry: 'share', title, body, data }), error.status)
}

function renderLocked(share: ShareRow, shell: Shell): string {
  const title = share.name || 'Files for you'
  return shell.render({
    entry: 'share',
    title,
    body: `<main class="plain stack"><h1>${escapeHtml(title)}</h1>
<p>This share is protected by a password.</p>
<noscript><p>Unlocking needs JavaScript, or the API.</p></noscript></main>`,
    data: { state: 'locked', id: share.id, name: share.name },
  })
}

/** A draft that its owner has published: there is nothing to unlock or to download yet. */
function renderUploading({ share, isUnlocked }: VisibleShare, shell: Shell): string {
  const title = share.name || 'Files for you'
  return shell.render({
    entry: 'share',
    title,
    body: `<main class="plain stack"><h1>${escapeHtml(title)}</h1>
${isUnlocked ? renderMessage(share) : ''}
<p>The files are still being uploaded. Open this link again in a while.</p></main>`,
    data: { state: 'uploading', id: share.id },
  })
}

function renderMessage({ message }: ShareRow): string {
  return message ? `<p class="text">${escapeHtml(message)}</p>` : ''
}

function renderOpen(share: ShareRow, files: readonly ListedFileRow[], shell: Shell): string {
  const title = share.name || 'Files for you'
  const base = `/api/shares/${share.id}`
  const rows = files
    .slice(0, listedMax)
    .map(
      (file) =>
        `<li><a class="main" href="${base}/files/${file.id}">${escapeHtml(file.originalName)}</a>
<span class="faint">${formatBytes(file.size)}</span></li>`,
    )
    .join('\n')
  const more = files.length - listedMax
  return shell.render({
    entry: 'share',
    title,
    body: `<main class="plain stack"><h1>${escapeHtml(title)}</h1>
${renderMessage(share)}
<p><a class="button primary" href="${base}/download">Download everything as ZIP</a>
<span class="faint">${formatBytes(share.totalSize)}</span></p>
<ul class="rows">
${rows}
</ul>
${more > 0 ? `<p>and ${more} more files, in the ZIP</p>` : ''}</main>`,
    data: { state: 'open', id: share.id },
  })
}
