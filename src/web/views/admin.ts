// The administration views: one file to load, with its texts.
import { loadTexts } from '../lib/i18n.ts'
import { Admin } from './admin/admin.tsx'
import { texts as shared } from './manage.ts'

export const views = { Admin }

export const texts = loadTexts('admin').then(() => shared)
