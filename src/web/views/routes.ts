import { loadTexts } from '../lib/i18n.ts'
import type { Route } from '../lib/routes.ts'

function accountTexts(): Promise<void> {
  return loadTexts({
    en: () => import('../i18n/en/account.ts'),
    de: () => import('../i18n/de/account.ts'),
  })
}

const account = {
  async load() {
    await accountTexts()
    return (await import('./account/account.tsx')).Account
  },
}

/** In place of every view, until the account has the second factor that it must have. */
export const enrolment = {
  async load() {
    await accountTexts()
    return (await import('./account/must-enrol.tsx')).MustEnrol
  },
}

/** Every view of the signed-in app. */
export const routes: readonly Route[] = [
  { path: '/account', view: account },
  { path: '/account/:view', view: account },
]
