import * as v from 'valibot'
import { setTimeout as delay } from 'node:timers/promises'
import { json, success, type ByteAnswer } from '../../http/answer.ts'
import { feedBody } from '../../http/body.ts'
import { unixPeer } from '../../http/client-ip.ts'
import { ok, operation } from '../../http/operation.ts'
import type { RequestContext } from '../../http/request-context.ts'
import { named, nonNegative, noted, successSchema } from '../../http/schema.ts'
import { CodedError } from '../../lib/errors.ts'
import type { AdminDeps } from '../deps.ts'

/** More than a check-up sends. */
const sinkBytesMax = 16 * 1024 * 1024
const secondsMax = 65
const headerCharactersMax = 1_000
/** Common to all: for the token of a check-up alone. */
const guarded = {
  tag: 'Administration',
  auth: 'none',
  description: 'Only for the token of a check-up: `transfer doctor` and `/api/admin/check-up`.',
  errors: ['unauthorized'],
} as const

export const echoProbe = (deps: AdminDeps) =>
  operation({
    ...guarded,
    id: 'echoProbe',
    method: 'GET',
    path: '/api/admin/check-up/probe',
    summary: 'Get how a request of a check-up arrived',
    answers: ok(
      'The request as the service sees it',
      named(
        'ProbeEcho',
        v.object({
          peer: noted(v.string(), 'Address of the connection', '127.0.0.1'),
          peer_port: noted(nonNegative, 'Port of the connection', 50_312),
          is_trusted: noted(v.boolean(), 'Whether TRUST_PROXY lists the peer'),
          trusts_everyone: noted(v.boolean(), 'Whether TRUST_PROXY lists every address'),
          ip: noted(v.string(), 'Client address used for limits and logs', '192.0.2.7'),
          forwarded_for: noted(v.nullable(v.string()), 'X-Forwarded-For', '192.0.2.7'),
          host: noted(v.string(), 'Host', 'files.example.org'),
        }),
      ),
    ),
    handle: ({ context }) =>
      deps.probe.admit(context.header('authorization'), async () =>
        json(deps.probe.echo(describeRequest(context))),
      ),
  })

/** How a request arrived, for the caller that has made it. */
function describeRequest(context: RequestContext) {
  const { remoteAddress = unixPeer, remotePort = 0 } = context.request.socket
  const read = (name: string) => context.header(name)?.slice(0, headerCharactersMax) ?? null
  return {
    // As TRUST_PROXY would list it; a socket for both protocols maps IPv4.
    peer: remoteAddress.replace(/^::ffff:(?=[\d.]+$)/, ''),
    peer_port: remotePort,
    ip: context.ip,
    forwarded_for: read('x-forwarded-for'),
    host: read('host') ?? '',
  }
}

export const endProbe = (deps: AdminDeps) =>
  operation({
    ...guarded,
    id: 'endProbe',
    method: 'DELETE',
    path: '/api/admin/check-up/probe',
    summary: 'End a check-up, and its token',
    answers: ok('The token is no longer valid', successSchema),
    handle: ({ context }) =>
      deps.probe.admit(context.header('authorization'), async (round) => {
        deps.probe.end(round)
        return success()
      }),
  })

const sunkSchema = named(
  'ProbeBody',
  v.object({
    bytes: noted(nonNegative, 'Bytes received', 131_072),
    first_ms: noted(
      v.nullable(nonNegative),
      'Milliseconds from the start of the request to its first byte; null before it',
      3,
    ),
    since_ms: noted(nonNegative, 'Milliseconds since the start of the request', 40),
  }),
)

export const sinkProbe = (deps: AdminDeps) =>
  operation({
    ...guarded,
    id: 'sinkProbe',
    method: 'POST',
    path: '/api/admin/check-up/probe/body',
    summary: 'Receive a body of a check-up, and discard it',
    body: {
      kind: 'binary',
      contentType: 'application/octet-stream',
      description: 'Any bytes; nothing is stored',
    },
    answers: ok('When the bytes arrived', sunkSchema),
    handle: ({ context }) =>
      deps.probe.admit(context.header('authorization'), async (round) => {
        const sunk = deps.probe.openSink(round)
        await feedBody(context, sinkBytesMax, (data) => deps.probe.count(sunk, data.length))
        return json(deps.probe.describe(sunk))
      }),
  })

export const getSinkProbe = (deps: AdminDeps) =>
  operation({
    ...guarded,
    id: 'getSinkProbe',
    method: 'GET',
    path: '/api/admin/check-up/probe/body',
    summary: 'Get how much of the last body of a check-up has arrived',
    answers: ok('The body so far', sunkSchema),
    errors: ['unauthorized', 'not_found'],
    handle: ({ context }) =>
      deps.probe.admit(context.header('authorization'), async ({ sunk }) => {
        if (!sunk) throw new CodedError('not_found')
        return json(deps.probe.describe(sunk))
      }),
  })

export const pauseProbe = (deps: AdminDeps) =>
  operation({
    ...guarded,
    id: 'pauseProbe',
    method: 'GET',
    path: '/api/admin/check-up/probe/pause',
    summary: 'Get an answer of a check-up that pauses after its first byte',
    query: v.object({
      seconds: noted(
        v.optional(v.pipe(v.string(), v.regex(/^[0-9]{1,2}$/), v.transform(Number)), '1'),
        `Length of the pause, at most ${secondsMax} seconds`,
        '1',
      ),
    }),
    answers: { 200: { description: 'Two bytes', contentType: 'text/plain' } },
    async handle({ context, query }): Promise<ByteAnswer> {
      const pauseMs = Math.min(query.seconds, secondsMax) * 1000
      const header = context.header('authorization')
      // Refused before the answer begins; its permit lasts while it is sent.
      await deps.probe.admit(header, async () => {})
      return {
        kind: 'bytes',
        status: 200,
        headers: { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' },
        cookies: [],
        send: (writer) =>
          deps.probe.admit(header, async () => {
            await writer.write(Buffer.from('a'))
            writer.flush()
            await delay(pauseMs, undefined, { signal: writer.signal })
            await writer.write(Buffer.from('b'))
          }),
      }
    },
  })
