import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/share.ts'
import { common } from './common.ts'

export const texts = {
  ...common,
} satisfies Same<typeof english>
