import { createClientIp } from '../../http/client-ip.ts'
import { connectionBounds } from '../../http/connections.ts'
import { Listener } from '../../http/listener.ts'
import { openGuards } from '../../http/open-guards.ts'
import { answerHeaders } from '../../http/send.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import { pathParameters } from '../../lib/path-parameters.ts'
import type { Metrics } from './metrics.ts'
import { getMetricsUnguarded } from './operations.ts'

/** A few scrapers. */
const connectionsMax = 64

/** The listener of METRICS_ADDR: serves /metrics and nothing else, without credentials. */
export function createMetricsListener(metrics: Metrics, clock: Clock, log: Log): Listener {
  return new Listener({
    operations: [getMetricsUnguarded(metrics)],
    pathParameters,
    guards: openGuards(clock),
    connections: connectionBounds(connectionsMax, connectionsMax, ''),
    clientIp: createClientIp(''),
    answers: answerHeaders(false),
    clock,
    log,
  })
}
