import * as v from 'valibot'
import { json } from '../http/answer.ts'
import { isLoopback, unixPeer } from '../http/client-ip.ts'
import { administration, ok, operation } from '../http/operation.ts'
import { bytes, named, nonNegative, noted } from '../http/schema.ts'
import type { AdminDeps } from './deps.ts'
import { readFile } from 'node:fs/promises'
import { findBuilt, version } from '../lib/package-root.ts'

const spaceFields = {
  free_bytes: bytes,
  total_bytes: noted(bytes, '0 for a bucket, and for a missing disk', 500_000_000_000),
  floor_bytes: noted(nonNegative, 'Bytes to keep free; uploads stop at this limit', 536_870_912),
}

export const testStorage = (deps: AdminDeps) =>
  operation({
    id: 'testStorage',
    method: 'POST',
    path: '/api/admin/storage/test',
    summary: 'Test the storage disk or bucket: write, sync, read back and remove a file',
    ...administration,
    answers: ok(
      'The result; nothing stays on the disk',
      v.union([
        v.object({
          success: v.literal(true),
          bytes_per_second: noted(nonNegative, 'Bytes written and synced per second', 120_000_000),
          sync_ms: noted(nonNegative, 'How long a small write takes to reach the disk', 4),
          ...spaceFields,
        }),
        v.object({
          success: v.literal(false),
          problem: noted(
            v.picklist(['missing', 'refused', 'full', 'different', 'failed']),
            'The disk is missing, refuses writes, is full, returns different bytes than ' +
              'were written, or failed otherwise',
          ),
          cause: noted(v.string(), 'System error code, if any', 'EROFS'),
          ...spaceFields,
        }),
      ]),
    ),
    async handle({ actor }) {
      const { audit, storage } = deps
      const result = await storage.writeTest.run()
      await audit.recordAlone(actor, 'storage.tested', { success: result.isFine })
      // The folder of an unmounted disk may be missing too.
      const isMissing = !result.isFine && result.problem === 'missing'
      const found = isMissing ? null : await storage.space.describe()
      const { free, total, floor } = found ?? { free: 0, total: 0, floor: 0 }
      const space = { free_bytes: free, total_bytes: total, floor_bytes: floor }
      if (!result.isFine) {
        return json({ success: false, problem: result.problem, cause: result.cause, ...space })
      }
      const { bytesPerSecond, syncMs } = result
      return json({ success: true, bytes_per_second: bytesPerSecond, sync_ms: syncMs, ...space })
    },
  })

export const getConnection = (deps: AdminDeps) =>
  operation({
    id: 'getConnection',
    method: 'GET',
    path: '/api/admin/connection',
    summary: 'Get how this request arrived: its client address, and whether a proxy is involved',
    ...administration,
    answers: ok(
      'Connection as seen by the service',
      named(
        'Connection',
        v.object({
          ip: noted(v.string(), 'Client address used for limits and logs', '192.0.2.7'),
          proxy: noted(
            v.picklist(['none', 'local', 'believed', 'ignored', 'silent']),
            'No proxy; asked from this machine, without a proxy, which proves nothing about ' +
              'other clients; a trusted proxy (TRUST_PROXY); a proxy that is not in ' +
              'TRUST_PROXY, so all clients share its address; no X-Forwarded-For although ' +
              'TRUST_PROXY is set',
          ),
        }),
      ),
    ),
    async handle({ context, ip }) {
      const peer = context.request.socket.remoteAddress ?? unixPeer
      if (context.header('x-forwarded-for') !== undefined) {
        const isTrusted = peer === unixPeer || deps.isProxy(peer)
        return json({ ip, proxy: isTrusted ? 'believed' : 'ignored' })
      }
      // A proxy on this machine is told apart by the public name that it passes on.
      const isAskedHere = !deps.trustsProxies || isLocalHost(context.header('host') ?? '')
      if (isLoopback(peer) && isAskedHere) return json({ ip, proxy: 'local' })
      return json({ ip, proxy: deps.trustsProxies ? 'silent' : 'none' })
    },
  })

/** `localhost`, or an address of the machine itself, with or without a port. */
function isLocalHost(host: string): boolean {
  const name = host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
  return name === 'localhost' || isLoopback(name)
}

export const getBootOptions = (deps: AdminDeps) =>
  operation({
    id: 'getBootOptions',
    method: 'GET',
    path: '/api/admin/options',
    summary: 'Get the boot options that determine how the service is reached',
    ...administration,
    answers: ok(
      'Values by option name; an empty value means none',
      named(
        'BootOptions',
        v.object({
          BASE_URL: noted(v.string(), 'URL that links begin with', 'https://files.example.org'),
          DOCS_URL: noted(v.string(), 'URL of the documentation', 'https://docs.example.org'),
          TRUST_PROXY: noted(v.string(), 'Trusted proxies', 'loopback'),
          DATABASE_URL: noted(
            v.string(),
            'Host and name of the database; empty for the embedded one',
            'db.example.org:5432/transfer',
          ),
        }),
      ),
    ),
    handle: async () => json(deps.visibleOptions),
  })

export const getAbout = () =>
  operation({
    id: 'getAbout',
    method: 'GET',
    path: '/api/admin/about',
    summary: 'Get the version and the included packages with their licences',
    ...administration,
    answers: ok(
      'The version and its packages',
      named(
        'About',
        v.object({
          version: v.string(),
          runtime: noted(v.string(), 'Node version', 'v20.19.0'),
          packages: v.array(
            v.object({
              name: v.string(),
              version: v.string(),
              licence: noted(v.string(), 'SPDX identifier', 'MIT'),
              text: noted(v.string(), 'Text of the licence'),
            }),
          ),
        }),
      ),
    ),
    async handle() {
      const packages = JSON.parse(await readFile(findBuilt('licences.json'), 'utf8')) as unknown
      return json({ version, runtime: process.version, packages })
    },
  })
