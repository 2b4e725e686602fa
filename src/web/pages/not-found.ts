import type { Language } from '../../lib/language.ts'
import type { PageSpec } from './shell.ts'

const texts: Readonly<Record<Language, { title: string; text: string; home: string }>> = {
  en: {
    title: 'Page not found',
    text: 'The address may be incomplete, or what was here may have been deleted.',
    home: 'Go to the start page',
  },
  de: {
    title: 'Seite nicht gefunden',
    text: 'Vielleicht ist die Adresse unvollständig, oder was hier war, wurde gelöscht.',
    home: 'Zur Startseite',
  },
}

/** A page that works without its script. */
export function notFoundSpec(language: Language): PageSpec {
  const { title, text, home } = texts[language]
  const body = `<main id="main" class="stack transfer">
<h1 tabindex="-1">${title}</h1>
<p>${text}</p>
<p><a href="/">${home}</a></p>
</main>`
  return { entry: 'share', title, language, body, data: { state: 'not_found' } }
}
