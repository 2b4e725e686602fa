import { page } from '../http/answer.ts'
import { escapeHtml, type Shell } from '../http/html.ts'
import { operation } from '../http/operation.ts'
import { CodedError, type ErrorCode } from '../lib/errors.ts'
import type { Settings } from '../settings/settings.ts'
import type { PublicReverseRoom } from './public-operations.ts'

const declare = operation<
  PublicReverseRoom & { readonly shell: Shell; readonly settings: Settings }
>()

/** The page behind a guest link: sending files needs the script. */
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
  async handle({ deliveries, shell }, { params }) {
    try {
      const reverse = await deliveries.findLink(params['reverseId']!)
      const title = reverse.name || 'Send files'
      const body = `<main class="plain stack"><h1>${escapeHtml(title)}</h1>
<noscript><p>Sending needs JavaScript, or the API.</p></noscript></main>`
      const data = { state: 'open', id: reverse.id }
      return page(shell.render({ entry: 'guest', title, body, data }))
    } catch (error) {
      const texts = error instanceof CodedError ? refusals[error.code] : undefined
      if (!(error instanceof CodedError) || !texts) throw error
      const [title, text] = texts
      const body = `<main class="plain stack"><h1>${title}</h1><p>${text}</p></main>`
      const data = { state: error.code }
      return page(shell.render({ entry: 'guest', title, body, data }), error.status)
    }
  },
})

const refusals: Partial<Record<ErrorCode, [title: string, text: string]>> = {
  not_found: ['There is nothing here', 'The link may be incomplete, or it was withdrawn.'],
  expired: ['This link has expired', 'Ask whoever sent it to you for a new one.'],
}
