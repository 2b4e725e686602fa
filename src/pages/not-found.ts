import { pageTexts } from '../i18n/texts.ts'
import type { Language } from '../lib/language.ts'
import { renderMessage } from './card.ts'
import type { PageSpec } from './shell.ts'

/** A page that works without its script. */
export function notFoundSpec(language: Language): PageSpec {
  const { title, text, home } = pageTexts[language].notFound
  const more = `<p><a class="button wide" href="/">${home}</a></p>`
  const body = renderMessage({ sign: 'nothing', title, text: `<p>${text}</p>`, more })
  return { entry: 'share', title, language, body, data: { state: 'not_found' } }
}
