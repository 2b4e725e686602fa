import type { Language } from '../../lib/language.ts'
import { texts as de } from './de.ts'
import { texts as en, type EmailTexts } from './en.ts'

export const emailTexts: Readonly<Record<Language, EmailTexts>> = { en, de }
