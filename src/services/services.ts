// Builds all objects of the service with what they use, in order of dependency.
import path from 'node:path'
import { Health } from '../admin/health.ts'
import { Overview } from '../admin/overview.ts'
import { Status } from '../admin/status.ts'
import { packageRoot, version } from '../lib/package-root.ts'
import { findLibraryFolder, Library } from '../site/library.ts'
import { Assets } from '../web/pages/assets.ts'
import { PageShell } from '../web/pages/shell.ts'
import { createAccounts, createSignIn } from './accounts.ts'
import { createBasis, createEmails, type Surroundings } from './basis.ts'
import { createBlobs } from './blobs.ts'
import { createReverseShares, createShares } from './shares.ts'

export type Services = ReturnType<typeof createServices>

/** Builds all services; starts none. */
export function createServices(surroundings: Surroundings) {
  const { config, database, clock } = surroundings
  const basis = createBasis(surroundings)
  const emails = createEmails(surroundings, basis)
  const blobs = createBlobs(surroundings, basis, emails)
  const shares = createShares(surroundings, basis, emails, blobs)
  const reverseShares = createReverseShares(surroundings, basis, emails, blobs, shares)
  const belongings = [shares.shares, reverseShares.reverseShares]
  const signIn = createSignIn(surroundings, basis, emails, belongings)
  const assets = new Assets(path.join(packageRoot, 'static'))
  return {
    ...basis,
    ...emails,
    ...blobs,
    ...shares,
    ...reverseShares,
    ...signIn,
    ...createAccounts(surroundings, basis, emails, signIn),
    assets,
    shell: new PageShell({ assets, settings: basis.settings }),
    description: new Library(findLibraryFolder(), config, ['/openapi.json']),
    health: new Health({ database, storage: blobs.storage, storageCheck: blobs.startCheck }),
    overview: new Overview({ database, clock, traffic: blobs.traffic, downloads: blobs.downloads }),
    status: new Status({
      database,
      storage: blobs.storage,
      uploads: blobs.uploads,
      downloads: blobs.downloads,
      emails: emails.emails,
      jobs: basis.jobs,
      clockTrust: basis.clockTrust,
      verify: blobs.verify,
      startCheck: blobs.startCheck,
      clock,
      version,
      isEmbedded: config.databaseUrl === null,
    }),
  }
}
