import { text } from '../../http/answer.ts'
import { operation } from '../../http/operation.ts'
import { contentType } from '../../lib/metrics.ts'
import type { Metrics } from './metrics.ts'

const answers = { 200: { description: 'The metrics', contentType: 'text/plain' } }
const common = {
  method: 'GET',
  path: '/metrics',
  summary: 'Get the metrics of the service, in the text format of Prometheus',
  tag: 'Health',
  isProbe: true,
  answers,
} as const

export const getMetrics = (metrics: Metrics) =>
  operation({
    ...common,
    id: 'getMetrics',
    auth: 'admin',
    scope: 'metrics',
    handle: () => answerMetrics(metrics),
  })

/** The same for METRICS_ADDR, an address of the operator. */
export const getMetricsUnguarded = (metrics: Metrics) =>
  operation({
    ...common,
    id: 'getMetricsUnguarded',
    auth: 'none',
    handle: () => answerMetrics(metrics),
  })

async function answerMetrics(metrics: Metrics) {
  return text(await metrics.collect(), { contentType })
}
