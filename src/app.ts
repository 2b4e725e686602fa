import { createListener } from './app-listener.ts'
import type { Storage } from './blobs/storage.ts'
import type { Listener } from './http/listener.ts'
import { listJobs } from './job-list.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Surroundings } from './services/basis.ts'
import { createServices, type Services } from './services/services.ts'

/** Time for an email that is being sent when the service stops. */
const emailGraceMs = 10_000

export type AppOptions = Surroundings

/** The service without its process: used by serve.ts, and by tests in their own process. */
export interface App {
  readonly services: Services
  readonly storage: Storage
  readonly jobs: Jobs
  readonly listener: Listener
  /** Work left by the last process: uncommitted bytes, tombstones, broken transfers. */
  recover(): Promise<void>
  /** Gives running requests `graceMs` to end, then closes segment writers and jobs. */
  close(graceMs: number): Promise<void>
}

/** Builds the service; starts nothing. */
export function createApp(options: AppOptions): App {
  const { database, clock, log, isAlive } = options
  const services = createServices(options)
  const listener = createListener(options, services)
  const { storage, settings, jobs, emails, traffic } = services
  jobs.add(listJobs({ ...services, database, clock, log }))
  return {
    services,
    storage,
    jobs,
    listener,
    async recover() {
      await settings.refresh()
      await services.clockTrust.start()
      // Before bytes are freed: broken downloads must not hold them.
      await services.downloads.counting.settleDead(isAlive)
      await storage.recover()
      await emails.recover()
    },
    async close(graceMs) {
      await listener.close(graceMs)
      services.metrics.close()
      await Promise.all([
        services.verify.close(),
        services.startCheck.close(),
        services.auth.idle(),
      ])
      await Promise.all([jobs.stop(), emails.close(emailGraceMs)])
      await services.passwordReset.idle()
      await services.manifests.idle()
      await traffic.close().catch((cause: unknown) => {
        log.warn('could not record traffic', { cause })
      })
      await storage.close()
    },
  }
}
