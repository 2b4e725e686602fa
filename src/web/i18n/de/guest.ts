import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/guest.ts'
import { common } from './common.ts'
import { upload } from './upload.ts'

export const texts = {
  ...common,
  ...upload,
} satisfies Same<typeof english>
