import { pageTexts } from '../i18n/texts.ts'
import type { Language } from '../lib/language.ts'
import { homeLink, renderMessage } from './card.ts'
import type { PageSpec } from './shell.ts'

/** A page that works without its script. */
export function notFoundSpec(language: Language): PageSpec {
  const { title, text } = pageTexts[language].notFound
  const more = homeLink(language)
  const body = renderMessage({ sign: 'nothing', title, text: `<p>${text}</p>`, more })
  return { entry: 'share', title, language, body, data: { state: 'not_found' } }
}
