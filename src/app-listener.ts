import type { Config } from './config/load.ts'
import { databaseFailure } from './database/connect.ts'
import { createClientIp } from './http/client-ip.ts'
import { connectionBounds } from './http/connection-bounds.ts'
import { Listener } from './http/listener.ts'
import { chooseLanguage } from './http/negotiation.ts'
import { createRateLimiter } from './http/rate-limit.ts'
import { answerHeaders } from './http/send.ts'
import { ByteBudget } from './lib/byte-budget.ts'
import type { Clock } from './lib/clock.ts'
import { CodedError, descriptorShortage } from './lib/errors.ts'
import { FairSemaphore } from './lib/fair-semaphore.ts'
import type { Log } from './lib/log.ts'
import { pathParameters } from './lib/path-parameters.ts'
import { operationsOf } from './operations.ts'
import { operationDeps } from './services/operation-deps.ts'
import type { Services } from './services/services.ts'

/** Enough to keep the database busy, and few enough that none waits long there. */
const lookUps = { atOnceMax: 32, waitersMax: 4_000, waitMsMax: 10_000 }

/** 64 bodies read whole at once, eight per client. */
const jsonBodies = {
  bytesMax: 16 * 1024 * 1024,
  shareBytesMin: 256 * 1024,
  shareBytesMax: 256 * 1024,
  permitsPerClientMax: 8,
  permitsPerNetworkMax: 24,
  permitsKept: 16,
  waitersMax: 500,
  waitMsMax: 30_000,
}

/** Four long lists at once, of at most 64 MiB each, two per client. */
const longBodies = {
  bytesMax: 256 * 1024 * 1024,
  shareBytesMin: 64 * 1024 * 1024,
  shareBytesMax: 64 * 1024 * 1024,
  permitsPerClientMax: 2,
  permitsPerNetworkMax: 3,
  permitsKept: 1,
  waitersMax: 100,
  waitMsMax: 30_000,
}

/** 32 long answers at once, with one page of each in memory. */
const longAnswers = {
  bytesMax: 16 * 1024 * 1024,
  shareBytesMin: 512 * 1024,
  shareBytesMax: 512 * 1024,
  permitsPerClientMax: 4,
  permitsPerNetworkMax: 8,
  permitsKept: 8,
  waitersMax: 200,
  waitMsMax: 30_000,
}

/** Enough for a delivery of very many files that is finalized repeatedly. */
const longLists = { limit: 20, windowMs: 15 * 60_000 }

export interface ListenerOptions {
  readonly config: Config
  readonly clock: Clock
  readonly log: Log
}

/** The product's listener: every operation behind its guards and limits. */
export function createListener(options: ListenerOptions, services: Services): Listener {
  const { config, clock, log } = options
  const { credentials } = services
  const { connectionsMax, connectionsPerAddress, trustProxy } = config
  return new Listener({
    operations: operationsOf(operationDeps(config, services)),
    pathParameters,
    guards: {
      clock,
      limits: {
        login: services.signInAttempts,
        reset: createRateLimiter(config.rateLimitReset, clock),
        upload: createRateLimiter(config.rateLimitUpload, clock),
        download: services.downloadLimiter,
      },
      lookUps: new FairSemaphore(lookUps),
      jsonBodies: new ByteBudget(jsonBodies),
      longBodies: new ByteBudget(longBodies),
      longLists: createRateLimiter(longLists, clock),
      longAnswers: new ByteBudget(longAnswers),
      authenticate: (context, accepts, rules) => credentials.authenticate(context, accepts, rules),
      refuseCrossSite: (context) => credentials.refuseCrossSite(context),
    },
    connections: connectionBounds(connectionsMax, connectionsPerAddress, trustProxy),
    clientIp: createClientIp(trustProxy),
    answers: answerHeaders(services.https),
    clock,
    log,
    notFoundPage: (context) =>
      services.shell.notFound(chooseLanguage(context.header('accept-language'))),
    translateError: (error) =>
      error instanceof CodedError ? error : (databaseFailure(error) ?? descriptorShortage(error)),
  })
}
