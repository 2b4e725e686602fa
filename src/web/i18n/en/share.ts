import { common } from './common.ts'

export const texts = {
  ...common,
} as const
