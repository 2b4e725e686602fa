import type { AddressInfo } from 'node:net'
import { createMetricsListener } from '../admin/metrics/listener.ts'
import type { App } from '../app.ts'
import type { Config } from '../config/load.ts'
import { formatSocketPlace } from '../config/parse.ts'
import type { Listener } from '../http/listener.ts'
import { systemClock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { listen } from './listen.ts'

/** How long answers may continue after a signal; they are small. */
export const metricsGraceMs = 1000

/**
 * Listens on METRICS_ADDR; null without it.
 * @throws CommandError when it cannot listen
 */
export async function openMetrics(app: App, config: Config, log: Log): Promise<Listener | null> {
  const { metricsAddr } = config
  if (metricsAddr === null) return null
  const { metrics } = app.services
  const listener = createMetricsListener(metrics, systemClock, log)
  await listen(listener, { ...metricsAddr, option: 'METRICS_ADDR' })
  const { address, port } = listener.server.address() as AddressInfo
  const place = formatSocketPlace({ host: address, port })
  log.info('serving metrics', { url: `http://${place}/metrics` })
  return listener
}
