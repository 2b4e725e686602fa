import type { AccountDeps } from '../../accounts/deps.ts'
import type { Assets } from './assets.ts'
import type { PageShell } from './shell.ts'

export interface PageDeps extends AccountDeps {
  readonly assets: Assets
  readonly shell: PageShell
}
