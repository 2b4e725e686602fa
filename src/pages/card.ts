// The card that a page behind a link consists of.
import { escapeHtml } from '../http/html.ts'
import { initialsOf } from '../lib/initials.ts'

const signs = {
  nothing:
    'M10 14a4 4 0 006 0l3-3a4 4 0 00-6-6l-1 1M14 10a4 4 0 00-6 0l-3 3a4 4 0 006 6l1-1M4 4l16 16',
  over: 'M12 3a9 9 0 100 18 9 9 0 000-18zM12 7v5l3 2',
}

/** A picture of what a message is about, above its title. */
export function renderSign(name: keyof typeof signs): string {
  return `<svg class="icon sign" viewBox="0 0 24 24" aria-hidden="true">
<path d="${signs[name]}"/></svg>`
}

/** Who sends files or asks for them, with initials. Plain texts. */
export function renderSender(name: string, text: string): string {
  const initials = escapeHtml(initialsOf(name))
  return `<p class="sender"><span class="avatar" aria-hidden="true">${initials}</span>
<span>${escapeHtml(text)}</span></p>`
}

/**
 * The card of a page, as HTML. A page with another status than 200 says one thing only.
 * @param parts `title` is plain text, `above` and `body` are HTML before and after it
 */
export function renderCard(parts: {
  readonly title: string
  readonly above: string
  readonly body: string
  readonly status: number
}): string {
  const { title, above, body, status } = parts
  const look = status === 200 ? 'transfer' : 'transfer message'
  return `<main id="main" class="stack ${look}">
${above}
<h1 tabindex="-1"><bdi>${escapeHtml(title)}</bdi></h1>
${body}
</main>`
}
