import { t } from '../lib/i18n.ts'

/** The present step of a wizard, counted from 1. */
export function Step({ n, all }: { readonly n: number; readonly all: number }) {
  return <p class="faint">{t('step', { n, all })}</p>
}
