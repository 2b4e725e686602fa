import { page } from '../http/answer.ts'
import { escapeHtml, renderPage, renderUnlock, type PageFrame } from '../http/html.ts'
import { operation } from '../http/operation.ts'
import { CodedError, type ErrorCode } from '../lib/errors.ts'
import { formatBytes } from '../lib/format-bytes.ts'
import { unlockTokens, type PublicReverseRoom } from './public-operations.ts'
import type { ReverseShareRow } from './sql.ts'

const declare = operation<PublicReverseRoom>()

/** The page behind a guest link, until the web UI takes its place. */
export const reversePage = declare({
  id: 'reversePage',
  method: 'GET',
  path: '/r/{reverseId}',
  summary: 'The page behind a guest link',
  tag: 'Pages',
  auth: 'none',
  answers: {
    200: { description: 'The page', contentType: 'text/html' },
    404: { description: 'The page says so', contentType: 'text/html' },
    410: { description: 'The page says so', contentType: 'text/html' },
  },
  errors: ['not_found', 'expired'],
  async handle(room, { exchange, params }) {
    const frame = room.settings.values
    try {
      const reverse = await room.deliveries.findLink(params['reverseId']!)
      const tokens = unlockTokens(exchange, reverse.id)
      const isUnlocked = await room.deliveries.isUnlocked(reverse, tokens)
      const chunkBytes = Math.min(chunkBytesAdvised, frame.maxChunkSize)
      return page(
        isUnlocked ? renderForm(reverse, chunkBytes, frame) : renderLocked(reverse, frame),
      )
    } catch (error) {
      const texts = error instanceof CodedError ? refusals[error.code] : undefined
      if (!(error instanceof CodedError) || !texts) throw error
      const [title, text] = texts
      return page(renderPage(title, `<h1>${title}</h1><p>${text}</p>`, frame), error.status)
    }
  },
})

/** What the contract advises. */
const chunkBytesAdvised = 50_000_000

const refusals: Partial<Record<ErrorCode, [title: string, text: string]>> = {
  not_found: ['There is nothing here', 'The link may be incomplete, or it was withdrawn.'],
  expired: ['This link has expired', 'Ask whoever sent it to you for a new one.'],
}

function titleOf(reverse: ReverseShareRow): string {
  return reverse.name || 'Send files'
}

function renderLocked(reverse: ReverseShareRow, frame: PageFrame): string {
  const words = 'This link is protected by a password.'
  return renderUnlock(titleOf(reverse), words, `/api/public/reverse/${reverse.id}/verify`, frame)
}

function renderForm(reverse: ReverseShareRow, chunkBytes: number, frame: PageFrame): string {
  const title = titleOf(reverse)
  const limit = reverse.maxSize > 0 ? `<p>At most ${formatBytes(reverse.maxSize)}.</p>` : ''
  const base = `/api/public/reverse/${reverse.id}`
  return renderPage(
    title,
    `<h1>${escapeHtml(title)}</h1>
${limit}
<form id="deliver" data-base="${base}" data-chunk-bytes="${chunkBytes}">
<label for="files">Files</label>
<input id="files" type="file" multiple required>
<label for="sender-name">Your name (optional)</label>
<input id="sender-name" autocomplete="name" maxlength="200">
<label for="sender-email">Your e-mail (optional)</label>
<input id="sender-email" type="email" autocomplete="email" maxlength="254">
<label for="note">Note (optional)</label>
<input id="note" maxlength="10000">
<button>Send</button>
<progress id="progress" max="1" value="0" hidden></progress>
<p id="problem" role="alert"></p>
<noscript><p>Sending needs JavaScript, or the API: ${base}</p></noscript>
</form>
<p id="thanks" class="message" role="status"></p>
<script src="/static/deliver.js"></script>`,
    frame,
  )
}
