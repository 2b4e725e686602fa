// Builds all objects of the service with what they use, in order of dependency.
import path from 'node:path'
import { basePathOf } from '../lib/base-path.ts'
import { packageRoot } from '../lib/package-root.ts'
import { findLibraryFolder, Library } from '../site/library.ts'
import { Assets } from '../web/pages/assets.ts'
import { PageShell } from '../web/pages/shell.ts'
import { createAccounts, createSignIn } from './accounts.ts'
import { createAdmin } from './admin.ts'
import { createBasis, createEmails, type Surroundings } from './basis.ts'
import { createBlobs } from './blobs.ts'
import { createDoctor } from './doctor.ts'
import { createReverseShares, createShares } from './shares.ts'

export type Services = ReturnType<typeof createServices>

/** Builds all services; starts none. */
export function createServices(surroundings: Surroundings) {
  const { config } = surroundings
  const basis = createBasis(surroundings)
  const emails = createEmails(surroundings, basis)
  const blobs = createBlobs(surroundings, basis, emails)
  const shares = createShares(surroundings, basis, emails, blobs)
  const reverseShares = createReverseShares(surroundings, basis, emails, blobs, shares)
  const belongings = [shares.shares, reverseShares.reverseShares]
  const signIn = createSignIn(surroundings, basis, emails, belongings)
  const assets = new Assets(path.join(packageRoot, 'static'))
  const basePath = basePathOf(config.baseUrl)
  return {
    ...basis,
    ...emails,
    ...blobs,
    ...shares,
    ...reverseShares,
    ...signIn,
    ...createAccounts(surroundings, basis, emails, signIn),
    ...createAdmin(surroundings, basis, emails, blobs, signIn),
    ...createDoctor(surroundings, basis, emails, blobs),
    assets,
    shell: new PageShell({ assets, settings: basis.settings, basePath }),
    description: new Library(findLibraryFolder(), config, ['/openapi.json']),
  }
}
