// Link ready: loaded after Send can be used, with its texts.
import { loadTexts } from '../lib/i18n.ts'
import { LinkReady } from './send/link-ready.tsx'

export const views = { LinkReady }

export const texts = loadTexts({
  en: () => import('../i18n/en/ready.ts'),
  de: () => import('../i18n/de/ready.ts'),
})
