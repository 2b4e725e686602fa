// The card that a page for people without an account consists of.
import { escapeHtml } from '../http/html.ts'
import { initialsOf } from '../lib/names.ts'
import { pageTexts } from '../i18n/texts.ts'
import type { Language } from '../lib/language.ts'

const signs = {
  nothing:
    'M10 14a4 4 0 006 0l3-3a4 4 0 00-6-6l-1 1M14 10a4 4 0 00-6 0l-3 3a4 4 0 006 6l1-1M4 4l16 16',
  over: 'M12 3a9 9 0 100 18 9 9 0 000-18zM12 7v5l3 2',
  server: 'M3 5h18v14H3zM7 9l3 3-3 3M12 15h5',
}

/**
 * HTML of the head: who sends files or asks for them, with initials beside the title. Plain texts.
 * @param words '' for an owner without a name
 * @param picture HTML in the place of the initials
 */
export function renderHead(title: string, owner: string, words: string, picture = ''): string {
  const heading = `<h1 tabindex="-1"><bdi>${escapeHtml(title)}</bdi></h1>`
  if (!words && !picture) return heading
  const initials = escapeHtml(initialsOf(owner))
  return `<div class="head">${
    picture || `<span class="avatar" aria-hidden="true">${initials}</span>`
  }<div class="words">${words && `<p class="faint">${escapeHtml(words)}</p>`}
${heading}</div></div>`
}

/** HTML of the ring of an upload, as src/web/ui/upload-total.tsx draws it, which is also said. */
export function renderRing(progress: number, percent: string): string {
  const circle = '<circle cx="56" cy="56" r="52"'
  return `<svg class="ring" viewBox="0 0 112 112" aria-hidden="true">${circle}/>
${circle} pathLength="100" stroke-dasharray="${progress} 100"/>
<text x="56" y="58">${percent}</text></svg>`
}

/**
 * HTML of a card with these blocks.
 * @param isSmall for a form of few fields
 */
export function renderCard(head: string, body: string, isSmall = false): string {
  return `<main id="main" class="transfer${isSmall ? ' small' : ''}">
${head}
${body}
</main>`
}

/** Leads on from a link with nothing behind it. */
export const homeLink = (language: Language) =>
  `<p><a class="button wide" href="/">${pageTexts[language].notFound.home}</a></p>`

/**
 * The card of a page that says one thing.
 * @param parts `title` is plain text, `text` and `more` are HTML
 */
export function renderMessage(parts: {
  readonly sign?: keyof typeof signs
  readonly title: string
  readonly text: string
  readonly more?: string
}): string {
  const { sign, title, text, more = '' } = parts
  const picture = sign
    ? `<svg class="icon sign" viewBox="0 0 24 24" aria-hidden="true">
<path d="${signs[sign]}"/></svg>`
    : ''
  return `<main id="main" class="transfer small">
${picture}
<div class="stack-tight"><h1 tabindex="-1">${escapeHtml(title)}</h1>
${text}</div>
${more}
</main>`
}
