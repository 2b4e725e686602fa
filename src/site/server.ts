import { basePathOf } from '../lib/base-path.ts'
import { pathParameters } from '../lib/path-parameters.ts'
import { createClientIp } from '../http/client-ip.ts'
import { connectionBounds } from '../http/connections.ts'
import { Listener } from '../http/listener.ts'
import { openGuards } from '../http/open-guards.ts'
import { docsHeaders } from '../http/security-headers.ts'
import { problemErrors, type AnswerHeaders } from '../http/send.ts'
import type { Clock } from '../lib/clock.ts'
import type { ErrorCode } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import type { Library } from './library.ts'
import { docsOperationsOf, notFoundAnswer } from './operations.ts'

const connectionsMax = 512
const connectionsPerAddress = 128

export interface DocsServerOptions {
  readonly library: Library
  readonly trustProxy: string
  readonly clock: Clock
  readonly log: Log
}

/** The documentation site's own server: read-only, no accounts, no database. */
export function createDocsListener(options: DocsServerOptions): Listener {
  const { library, clock, log } = options
  return new Listener({
    operations: docsOperationsOf(library),
    pathParameters,
    guards: openGuards(clock),
    connections: connectionBounds(connectionsMax, connectionsPerAddress, options.trustProxy),
    clientIp: createClientIp(options.trustProxy),
    basePath: basePathOf(library.addresses.docsUrl),
    answers: docsAnswers(library.addresses.docsUrl),
    clock,
    log,
    notFoundPage: (context) => notFoundAnswer(library, context),
  })
}

/** What to do about an error. */
const hints: Partial<Record<ErrorCode, string>> = {
  not_found: 'GET /api/v1/docs lists every page.',
  method_not_allowed: 'This site is read-only. Use GET.',
}

/** The type of an error is an address in the reference. */
function docsAnswers(docsUrl: string): AnswerHeaders {
  const headers = docsHeaders(docsUrl.startsWith('https:'))
  return {
    api: { ...headers, 'Cache-Control': 'no-store' },
    page: headers,
    download: headers,
    errors: problemErrors(`${docsUrl}/reference#error-`, hints),
  }
}
