import { loadTexts } from '../lib/i18n.ts'
import type { Route } from '../lib/routes.ts'
import { Send } from './send/send.tsx'

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
  {
    path: '/shares/:shareId',
    query: 'new',
    view: { load: async () => (await import('./send/link-ready.tsx')).LinkReady },
  },
  { path: '/admin', view: admin, adminOnly: true },
  { path: '/admin/:view', view: admin, adminOnly: true },
  { path: '/admin/:view/:section', view: admin, adminOnly: true },
]
