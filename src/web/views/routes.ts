import type { Route, View } from '../lib/routes.ts'
import { loadRest } from './rest.ts'
import { Send } from './send/send.tsx'

interface Part<Name extends string> {
  readonly views: Readonly<Record<Name, View>>
  /** Settled when the texts of these views are loaded. */
  readonly texts: Promise<void>
}

/** A view of a part that is loaded on demand, with its related views. */
function viewOf<Name extends string>(part: () => Promise<Part<Name>>, name: Name) {
  return {
    async load() {
      const { views, texts } = await part()
      await texts
      return views[name]
    },
  }
}

const account = viewOf(loadRest, 'Account')
const admin = viewOf(() => import('./admin.ts'), 'Admin')
const linkReady = viewOf(loadRest, 'LinkReady')
const shareDetail = viewOf(loadRest, 'ShareDetail')
const requestDetail = viewOf(loadRest, 'RequestDetail')

/** Replaces every view until the account has its required second factor. */
export const enrolment = viewOf(loadRest, 'MustEnrol')

/** Every view of the signed-in app; the first match is shown. */
export const routes: readonly Route[] = [
  { path: '/', view: Send },
  { path: '/account', view: account },
  { path: '/account/:view', view: account },
  { path: '/shares/:shareId', query: 'new', view: linkReady },
  { path: '/shares', view: viewOf(loadRest, 'Shares') },
  { path: '/shares/:shareId', view: shareDetail },
  { path: '/shares/:shareId/:view', view: shareDetail },
  { path: '/requests', view: viewOf(loadRest, 'Requests') },
  { path: '/requests/new', view: viewOf(loadRest, 'NewRequest') },
  { path: '/requests/:reverseId', view: requestDetail },
  { path: '/requests/:reverseId/:view', view: requestDetail },
  { path: '/admin', view: admin, adminOnly: true },
  { path: '/admin/:view', view: admin, adminOnly: true },
  { path: '/admin/:view/:section', view: admin, adminOnly: true },
]
