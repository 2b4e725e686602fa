// The words of pages and emails in every language. Those of the web UI are in src/web/i18n.
import type { Language } from '../lib/language.ts'
import type { EmailTexts } from './en/emails.ts'
import type { PageTexts } from './en/pages.ts'
import { emails as csEmails } from './cs/emails.ts'
import { pages as csPages } from './cs/pages.ts'
import { emails as deEmails } from './de/emails.ts'
import { pages as dePages } from './de/pages.ts'
import { emails as enEmails } from './en/emails.ts'
import { pages as enPages } from './en/pages.ts'
import { emails as esEmails } from './es/emails.ts'
import { pages as esPages } from './es/pages.ts'
import { emails as frEmails } from './fr/emails.ts'
import { pages as frPages } from './fr/pages.ts'
import { emails as itEmails } from './it/emails.ts'
import { pages as itPages } from './it/pages.ts'
import { emails as jaEmails } from './ja/emails.ts'
import { pages as jaPages } from './ja/pages.ts'
import { emails as nlEmails } from './nl/emails.ts'
import { pages as nlPages } from './nl/pages.ts'
import { emails as plEmails } from './pl/emails.ts'
import { pages as plPages } from './pl/pages.ts'
import { emails as ptBREmails } from './pt-BR/emails.ts'
import { pages as ptBRPages } from './pt-BR/pages.ts'
import { emails as svEmails } from './sv/emails.ts'
import { pages as svPages } from './sv/pages.ts'
import { emails as trEmails } from './tr/emails.ts'
import { pages as trPages } from './tr/pages.ts'
import { emails as ukEmails } from './uk/emails.ts'
import { pages as ukPages } from './uk/pages.ts'
import { emails as zhHansEmails } from './zh-Hans/emails.ts'
import { pages as zhHansPages } from './zh-Hans/pages.ts'

export type { EmailTexts, PageTexts }

export const emailTexts: Readonly<Record<Language, EmailTexts>> = {
  en: enEmails,
  de: deEmails,
  fr: frEmails,
  es: esEmails,
  it: itEmails,
  'pt-BR': ptBREmails,
  nl: nlEmails,
  pl: plEmails,
  sv: svEmails,
  cs: csEmails,
  uk: ukEmails,
  tr: trEmails,
  ja: jaEmails,
  'zh-Hans': zhHansEmails,
}

export const pageTexts: Readonly<Record<Language, PageTexts>> = {
  en: enPages,
  de: dePages,
  fr: frPages,
  es: esPages,
  it: itPages,
  'pt-BR': ptBRPages,
  nl: nlPages,
  pl: plPages,
  sv: svPages,
  cs: csPages,
  uk: ukPages,
  tr: trPages,
  ja: jaPages,
  'zh-Hans': zhHansPages,
}
