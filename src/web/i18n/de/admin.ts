import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/admin.ts'

export const texts = {} satisfies Same<typeof english>
