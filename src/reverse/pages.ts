import { page, type Answer } from '../http/answer.ts'
import { escapeHtml, type Shell } from '../http/html.ts'
import { operation } from '../http/operation.ts'
import { CodedError } from '../lib/errors.ts'
import { chooseLanguage, dayIn, sizeIn, type Language } from '../lib/language.ts'
import type { Settings } from '../settings/settings.ts'
import { pageTexts } from './page-texts.ts'
import { unlockTokens, type PublicReverseRoom } from './public-operations.ts'
import type { ReverseShareRow } from './sql.ts'

type GuestPageRoom = PublicReverseRoom & { readonly shell: Shell; readonly settings: Settings }
const declare = operation<GuestPageRoom>()

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
  async handle(room, { exchange, params }) {
    const language = chooseLanguage(exchange.header('accept-language'))
    try {
      const reverse = await room.deliveries.findLink(params['reverseId']!)
      const tokens = unlockTokens(exchange, reverse.id)
      const isUnlocked = await room.deliveries.isUnlocked(reverse, tokens)
      return isUnlocked
        ? renderOpen(room, reverse, language)
        : renderLocked(room, reverse, language)
    } catch (error) {
      return renderRefusal(room, error, language)
    }
  },
})

function renderOpen(room: GuestPageRoom, reverse: ReverseShareRow, language: Language): Answer {
  const { needsScript, untitled } = pageTexts[language]
  const { maxChunkSize, maxFileSize, blockedExtensionsGuests } = room.settings.values
  const terms = renderTerms(reverse, language)
  const body = `<p class="faint">${terms}</p>
<noscript><p>${needsScript}</p></noscript>`
  const name = reverse.name || untitled
  return render(room, language, name, body, {
    state: 'open',
    id: reverse.id,
    name,
    maxSize: reverse.maxSize,
    expiresAt: reverse.expiresAt?.toISOString() ?? null,
    maxFileSize,
    chunkBytesMax: maxChunkSize,
    blockedExtensions: blockedExtensionsGuests,
  })
}

/** What src/web/views/guest/ says of the request too. */
function renderTerms({ maxSize, expiresAt }: ReverseShareRow, language: Language): string {
  const { limit, until } = pageTexts[language]
  return [
    maxSize > 0 ? limit(sizeIn(language, maxSize)) : '',
    expiresAt ? `${until} ${dayIn(language, expiresAt)}` : '',
  ]
    .filter(Boolean)
    .join(' · ')
}

function renderLocked(room: GuestPageRoom, reverse: ReverseShareRow, language: Language): Answer {
  const { locked, unlockNeedsScript, untitled } = pageTexts[language]
  const body = `<p>${locked}</p>
<noscript><p>${unlockNeedsScript}</p></noscript>
<div id="unlock"></div>`
  const data = { state: 'locked', id: reverse.id }
  return render(room, language, reverse.name || untitled, body, data)
}

function renderRefusal(room: GuestPageRoom, error: unknown, language: Language): Answer {
  if (!(error instanceof CodedError)) throw error
  const { notFound, expired } = pageTexts[language]
  const texts = { not_found: notFound, expired }[error.code as string]
  if (!texts) throw error
  const [title, text] = texts
  return render(room, language, title, `<p>${text}</p>`, { state: error.code }, error.status)
}

function render(
  { shell }: GuestPageRoom,
  language: Language,
  title: string,
  body: string,
  data: object,
  status = 200,
): Answer {
  const html = shell.render({
    entry: 'guest',
    title,
    language,
    body: `<main id="main" class="stack">
<h1 tabindex="-1"><bdi>${escapeHtml(title)}</bdi></h1>
${body}
</main>`,
    data,
  })
  return page(html, status)
}
