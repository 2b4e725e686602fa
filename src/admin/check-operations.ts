import * as v from 'valibot'
import { json } from '../http/answer.ts'
import { createClientIp } from '../http/client-ip.ts'
import { operation } from '../http/operation.ts'
import { bytes, named, nonNegative, noted } from '../http/schema.ts'
import type { Storage } from '../blobs/storage.ts'
import { readAbout } from './about.ts'

export interface ChecksOperationDeps {
  readonly storage: Storage
  /** Whether any proxy is trusted: the option TRUST_PROXY. */
  readonly trustsProxies: boolean
  readonly visibleOptions: Readonly<Record<string, string>>
}

const tag = 'Administration'

const spaceFields = {
  free_bytes: bytes,
  total_bytes: bytes,
  floor_bytes: noted(nonNegative, 'Bytes that stay free: uploads stop there', 536_870_912),
}

export const testStorage = (deps: ChecksOperationDeps) =>
  operation({
    id: 'testStorage',
    method: 'POST',
    path: '/api/admin/storage/test',
    summary:
      'Write to the disk of the files, sync, read back and remove: whether it works, how fast',
    tag,
    auth: 'admin',
    scope: 'administer',
    answers: {
      200: {
        description: 'What was found; nothing stays on the disk',
        schema: v.union([
          v.object({
            success: v.literal(true),
            bytes_per_second: noted(nonNegative, 'Written and synced', 120_000_000),
            sync_ms: noted(nonNegative, 'What a small write waits for until it is safe', 4),
            ...spaceFields,
          }),
          v.object({
            success: v.literal(false),
            problem: noted(
              v.picklist(['missing', 'refused', 'full', 'different', 'failed']),
              'The disk is not there, does not let us write, has no room, gives back other bytes ' +
                'than were written, or failed otherwise',
            ),
            cause: noted(v.string(), "The system's code of the error, if there is one", 'EROFS'),
            ...spaceFields,
          }),
        ]),
      },
    },
    errors: ['unauthorized', 'forbidden', 'cross_site'],
    async handle() {
      const { storage } = deps
      const result = await storage.writeTest.run()
      // The folder of an unmounted disk may be missing too.
      const nothing = { free: 0, total: 0, floor: 0 }
      const { free, total, floor } =
        !result.isFine && result.problem === 'missing' ? nothing : await storage.space.describe()
      const space = { free_bytes: free, total_bytes: total, floor_bytes: floor }
      if (!result.isFine) {
        return json({ success: false, problem: result.problem, cause: result.cause, ...space })
      }
      const { bytesPerSecond, syncMs } = result
      return json({ success: true, bytes_per_second: bytesPerSecond, sync_ms: syncMs, ...space })
    },
  })

const trustNobody = createClientIp('')

export const getConnection = (deps: ChecksOperationDeps) =>
  operation({
    id: 'getConnection',
    method: 'GET',
    path: '/api/admin/connection',
    summary: 'How this very request came: the address it counts for, and what of a proxy is seen',
    tag,
    auth: 'admin',
    scope: 'administer',
    answers: {
      200: {
        description: 'As the service sees it',
        schema: named(
          'Connection',
          v.object({
            ip: noted(v.string(), 'What limits and logs take for the address', '192.0.2.7'),
            proxy: noted(
              v.picklist(['none', 'believed', 'ignored', 'silent']),
              'None seen; seen and believed (TRUST_PROXY); seen, but not in TRUST_PROXY, ' +
                'so all clients share its address; TRUST_PROXY is set, but none is seen',
            ),
          }),
        ),
      },
    },
    errors: ['unauthorized', 'forbidden'],
    async handle({ context, ip }) {
      const { trustsProxies } = deps
      const peer = trustNobody(context.request.socket.remoteAddress ?? '', undefined)
      const isForwarded = context.header('x-forwarded-for') !== undefined
      const seen = ip === peer ? 'ignored' : 'believed'
      const unseen = trustsProxies ? 'silent' : 'none'
      return json({ ip, proxy: isForwarded ? seen : unseen })
    },
  })

export const getBootOptions = (deps: ChecksOperationDeps) =>
  operation({
    id: 'getBootOptions',
    method: 'GET',
    path: '/api/admin/options',
    summary:
      'What was set before the service started, as far as it says how the service is reached',
    tag,
    auth: 'admin',
    scope: 'administer',
    answers: {
      200: {
        description: 'By the names of the options; an empty value means none',
        schema: named(
          'BootOptions',
          v.object({
            BASE_URL: noted(v.string(), 'Where links lead', 'https://files.example.org'),
            DOCS_URL: noted(v.string(), 'Of the documentation', 'https://docs.example.org'),
            TRUST_PROXY: noted(v.string(), 'Proxies that are believed', 'loopback'),
            DATABASE_URL: noted(
              v.string(),
              'Host and name of the database; empty for the one that comes along',
              'db.example.org:5432/transfer',
            ),
          }),
        ),
      },
    },
    errors: ['unauthorized', 'forbidden'],
    handle: async () => json(deps.visibleOptions),
  })

export const getAbout = () =>
  operation({
    id: 'getAbout',
    method: 'GET',
    path: '/api/admin/about',
    summary: 'The version, and the packages it is made of with their licences',
    tag,
    auth: 'admin',
    scope: 'administer',
    answers: {
      200: {
        description: 'As the build has found it',
        schema: named(
          'About',
          v.object({
            version: v.string(),
            runtime: noted(v.string(), 'Version of Node', 'v20.19.0'),
            packages: v.array(
              v.object({
                name: v.string(),
                version: v.string(),
                licence: noted(v.string(), 'By SPDX', 'MIT'),
                text: noted(v.string(), 'Of the licence'),
              }),
            ),
          }),
        ),
      },
    },
    errors: ['unauthorized', 'forbidden'],
    handle: async () => json(await readAbout()),
  })
