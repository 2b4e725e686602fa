import { budgetsOf } from './config/budgets.ts'
import type { Config } from './config/load.ts'
import { databaseFailure } from './database/connect.ts'
import { createClientIp } from './http/client-ip.ts'
import { connectionBounds, type ConnectionBounds } from './http/connection-bounds.ts'
import { Listener } from './http/listener.ts'
import { chooseLanguage } from './http/negotiation.ts'
import { createRateLimiter } from './http/rate-limit.ts'
import { answerHeaders } from './http/send.ts'
import { basePathOf } from './lib/base-path.ts'
import type { Clock } from './lib/clock.ts'
import { CodedError, descriptorShortage } from './lib/errors.ts'
import type { Log } from './lib/log.ts'
import { pathParameters } from './lib/path-parameters.ts'
import { operationsOf } from './operations.ts'
import { operationDeps } from './services/operation-deps.ts'
import type { Services } from './services/services.ts'

/** Enough for a delivery of very many files that is finalized repeatedly. */
const longLists = { limit: 20, windowMs: 15 * 60_000 }

/** Ten shares with all their thumbnails. */
const thumbnails = { limit: 20_000, windowMs: 60 * 60_000 }

export interface ListenerOptions {
  readonly config: Config
  readonly clock: Clock
  readonly log: Log
}

/** With less memory there are fewer connections in all. */
export function boundsOfConnections({
  connectionsMax,
  connectionsPerAddress,
  trustProxy,
  memoryLimit,
}: Config): ConnectionBounds {
  const budget = budgetsOf(memoryLimit).connectionsMax
  return connectionBounds(Math.min(connectionsMax, budget), connectionsPerAddress, trustProxy)
}

/** The product's listener: every operation behind its guards and limits. */
export function createListener(options: ListenerOptions, services: Services): Listener {
  const { config, clock, log } = options
  const { credentials } = services
  return new Listener({
    operations: operationsOf(operationDeps(config, services)),
    pathParameters,
    guards: {
      clock,
      limits: {
        ...services.limiters.named,
        getThumbnail: createRateLimiter(thumbnails, clock),
      },
      ...services.requestPermits,
      longLists: createRateLimiter(longLists, clock),
      authenticate: (context, accepts, rules) => credentials.authenticate(context, accepts, rules),
      refuseCrossSite: (context) => credentials.refuseCrossSite(context),
    },
    connections: boundsOfConnections(config),
    clientIp: createClientIp(config.trustProxy),
    basePath: basePathOf(config.baseUrl),
    answers: answerHeaders(services.cookies.isSecure),
    clock,
    log,
    counts: services.requestCounts,
    notFoundPage: (context) =>
      services.shell.notFound(chooseLanguage(context.header('accept-language'))),
    translateError: (error) =>
      error instanceof CodedError ? error : (databaseFailure(error) ?? descriptorShortage(error)),
  })
}
