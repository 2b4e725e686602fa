import type { Route } from '../lib/routes.ts'

/** Every view of the signed-in app. */
export const routes: readonly Route[] = []
