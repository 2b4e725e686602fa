import { page, type Answer } from '../http/answer.ts'
import { escapeHtml, escapeName } from '../http/html.ts'
import { homeLink, renderCard, renderHead, renderMessage } from './card.ts'
import { operation } from '../http/operation.ts'
import { withoutDirectionMarks, initialsOf } from '../lib/names.ts'
import { CodedError } from '../lib/errors.ts'
import { chooseLanguage } from '../http/negotiation.ts'
import { type Language, dayIn } from '../lib/language.ts'
import { pageTexts } from '../i18n/texts.ts'
import { deliveryProofs, unlockProofs } from '../requests/guest-operations.ts'
import type { ReverseShare } from '../requests/sql.ts'
import type { PageDeps } from './deps.ts'

/** The page behind a file request: sending files requires the script. */
export const reversePage = (deps: PageDeps) =>
  operation({
    id: 'reversePage',
    method: 'GET',
    path: '/r/{reverseId}',
    summary: 'The page of a reverse share',
    tag: 'Pages',
    auth: 'none',
    answers: {
      200: { description: 'The page', contentType: 'text/html' },
      404: { description: 'A page that says so', contentType: 'text/html' },
      410: { description: 'A page that says so', contentType: 'text/html' },
    },
    errors: ['expired', 'closed', 'rate_limited'],
    async load({ context, params, ip }) {
      const proofsFor = (reverseId: string) => deliveryProofs(deps, context, reverseId)
      const [result] = await Promise.allSettled([
        deps.deliveries.findLinkFor(params['reverseId']!, ip, proofsFor),
      ])
      return result
    },
    async handle({ context }, result) {
      const { language: fallback } = deps.settings.values
      const language = chooseLanguage(context.header('accept-language'), fallback)
      if (result.status === 'rejected') return renderRefusal(deps, result.reason, language)
      const { reverse, hasExpired } = result.value
      const proofs = unlockProofs(deps, context, reverse.id)
      // A guest who began in time knew the password, and an expired link cannot be unlocked.
      const isUnlocked = hasExpired || (await deps.deliveries.unlocking.isUnlocked(reverse, proofs))
      return isUnlocked
        ? renderOpen(deps, reverse, hasExpired, language)
        : renderLocked(deps, reverse, language)
    },
  })

function renderOpen(
  deps: PageDeps,
  reverse: ReverseShare,
  hasExpired: boolean,
  language: Language,
): Answer {
  const { needsScript } = pageTexts[language].request
  const { maxChunkSize, maxFileSize, blockedExtensionsGuests } = deps.settings.values
  const { id, maxSize, instructions, allowedExtensions, requiredFields, once, allowSharing } =
    reverse
  const words = instructions && `<p class="text" dir="auto">${escapeHtml(instructions)}</p>`
  const body = `${words}
<div id="awaited"><noscript><p>${needsScript}</p></noscript></div>`
  return renderRequest(deps, language, reverse, body, {
    state: 'open',
    hasExpired,
    id,
    name: titleOf(reverse, language),
    ownerName: reverse.ownerName,
    ownerInitials: initialsOf(withoutDirectionMarks(reverse.ownerName)),
    instructions,
    allowedExtensions,
    requiredFields,
    once,
    allowSharing,
    maxSize,
    expiresAt: reverse.expiresAt?.toISOString() ?? null,
    maxFileSize,
    chunkBytesMax: maxChunkSize,
    blockedExtensions: blockedExtensionsGuests,
  })
}

function renderLocked(deps: PageDeps, reverse: ReverseShare, language: Language): Answer {
  const { locked, unlockNeedsScript } = pageTexts[language].request
  const body = `<p>${locked}</p>
<noscript><p>${unlockNeedsScript}</p></noscript>
<div id="unlock"></div>`
  const data = { state: 'locked', id: reverse.id }
  return renderRequest(deps, language, reverse, body, data)
}

function renderRefusal(deps: PageDeps, error: unknown, language: Language): Answer {
  if (!(error instanceof CodedError)) throw error
  const { notFound, isClosed, expired, closed } = pageTexts[language].request
  const { code, status } = error
  const say = { expired, closed }[code as string]
  if (!say && code !== 'not_found') throw error
  const { since, ownerName } = error.details as { since?: string; ownerName?: string }
  const day = dayIn(deps.settings.values.timeZone, language, new Date(since ?? 0))
  const { title, text } = say
    ? { title: isClosed, text: say(day, escapeName(ownerName ?? '')) }
    : notFound
  const sign = say ? 'over' : 'nothing'
  const more = say ? '' : homeLink(language)
  const body = renderMessage({ sign, title, text: `<p>${text}</p>`, more })
  return render(deps, language, { title, body, status }, { state: code })
}

/** Shows the owner beside the name. */
function renderRequest(
  deps: PageDeps,
  language: Language,
  reverse: ReverseShare,
  body: string,
  data: { readonly state: string; readonly [field: string]: unknown },
): Answer {
  const { asks } = pageTexts[language].request
  const owner = withoutDirectionMarks(reverse.ownerName)
  const title = titleOf(reverse, language)
  const head = renderHead(title, owner, owner && asks(owner))
  const card = renderCard(head, body, data.state === 'locked')
  return render(deps, language, { title, body: card }, data)
}

function titleOf({ name }: ReverseShare, language: Language): string {
  return withoutDirectionMarks(name) || pageTexts[language].request.untitled
}

function render(
  { shell }: PageDeps,
  language: Language,
  { title, body, status = 200 }: { title: string; body: string; status?: number },
  data: object,
): Answer {
  const rendered = shell.render({ entry: 'guest', title, language, body, data })
  return page(rendered, status)
}
