import { common } from './common.ts'
import { upload } from './upload.ts'

export const texts = {
  ...common,
  ...upload,
} as const
