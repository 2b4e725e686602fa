import type { RequestDeps } from '../requests/deps.ts'
import type { Assets } from './assets.ts'
import type { PageShell } from './shell.ts'

/** What app.ts builds for pages, which stand above all that they show. */
export interface PageDeps extends RequestDeps {
  readonly assets: Assets
  readonly shell: PageShell
}
