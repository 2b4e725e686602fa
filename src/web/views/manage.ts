// Views to manage shares and file requests: one file to load, with its texts.
import { loadTexts } from '../lib/i18n.ts'
import { NewRequest } from './requests/new.tsx'
import { RequestDetail } from './requests/detail.tsx'
import { Requests } from './requests/requests.tsx'
import { ShareDetail } from './shares/detail.tsx'
import { Shares } from './shares/shares.tsx'

export const views = { NewRequest, RequestDetail, Requests, ShareDetail, Shares }

export const texts = loadTexts({
  en: () => import('../i18n/en/manage.ts'),
  de: () => import('../i18n/de/manage.ts'),
})
