// The account's views: one file to load, with its texts.
import { loadTexts } from '../lib/i18n.ts'
import { Account } from './account/account.tsx'
import { MustEnrol } from './account/must-enrol.tsx'
import { Shortcuts } from './account/shortcuts.tsx'

export const views = { Account, MustEnrol, Shortcuts }

export const texts = loadTexts({
  en: () => import('../i18n/en/account.ts'),
  de: () => import('../i18n/de/account.ts'),
})
