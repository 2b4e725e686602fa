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

/** Every view of the signed-in app; of two that fit, the first is shown. */
export const routes: readonly Route[] = [
  { path: '/', view: Send },
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
]
