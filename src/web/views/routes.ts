import { loadTexts } from '../lib/i18n.ts'
import type { Route } from '../lib/routes.ts'
import type { views } from './manage.ts'
import { Send } from './send/send.tsx'

/** A view that looks after what was sent or asked for, loaded with all of them and their texts. */
const manage = (name: keyof typeof views) => ({
  async load() {
    const loaded = await import('./manage.ts')
    await loaded.texts
    return loaded.views[name]
  },
})
const shareDetail = manage('ShareDetail')
const requestDetail = manage('RequestDetail')

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

/** All of administration at once, with its texts: whoever opens one view opens others. */
const admin = {
  async load() {
    const [{ Admin }] = await Promise.all([
      import('./admin/admin.tsx'),
      loadTexts({
        en: () => import('../i18n/en/admin.ts'),
        de: () => import('../i18n/de/admin.ts'),
      }),
    ])
    return Admin
  },
}

/** Every view of the signed-in app; of two that fit, the first is shown. */
export const routes: readonly Route[] = [
  { path: '/', view: Send },
  { path: '/account', view: account },
  { path: '/account/:view', view: account },
  {
    path: '/shares/:shareId',
    query: 'new',
    view: { load: async () => (await import('./send/link-ready.tsx')).LinkReady },
  },
  { path: '/shares', view: manage('Shares') },
  { path: '/shares/:shareId', view: shareDetail },
  { path: '/shares/:shareId/:view', view: shareDetail },
  { path: '/requests', view: manage('Requests') },
  { path: '/requests/new', view: manage('NewRequest') },
  { path: '/requests/:reverseId', view: requestDetail },
  { path: '/requests/:reverseId/:view', view: requestDetail },
  { path: '/admin', view: admin, adminOnly: true },
  { path: '/admin/:view', view: admin, adminOnly: true },
  { path: '/admin/:view/:section', view: admin, adminOnly: true },
]
