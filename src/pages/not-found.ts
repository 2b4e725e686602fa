import { pageTexts } from '../i18n/texts.ts'
import type { Language } from '../lib/language.ts'
import { renderSign } from './card.ts'
import type { PageSpec } from './shell.ts'

/** A page that works without its script. */
export function notFoundSpec(language: Language): PageSpec {
  const { title, text, home } = pageTexts[language].notFound
  const body = `<main id="main" class="stack transfer message">
${renderSign('nothing')}
<h1 tabindex="-1">${title}</h1>
<p>${text}</p>
<p><a class="button" href="/">${home}</a></p>
</main>`
  return { entry: 'share', title, language, body, data: { state: 'not_found' } }
}
