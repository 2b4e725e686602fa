// The administration views: one file to load, with its texts.
import { loadTexts } from '../lib/i18n.ts'
import { Admin } from './admin/admin.tsx'

export const views = { Admin }

export const texts = loadTexts('admin')
