import type { Route } from '../lib/routes.ts'
import { Send } from './send/send.tsx'

/** Every view of the signed-in app; of two that fit, the first is shown. */
export const routes: readonly Route[] = [
  { path: '/', view: Send },
  {
    path: '/shares/:shareId',
    query: 'new',
    view: { load: async () => (await import('./send/link-ready.tsx')).LinkReady },
  },
]
