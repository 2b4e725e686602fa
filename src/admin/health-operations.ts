import * as v from 'valibot'
import { json } from '../http/answer.ts'
import { ok, operation } from '../http/operation.ts'
import { nonNegative, noted } from '../http/schema.ts'
import { checkHealth, uploadStates } from './health.ts'
import type { AdminDeps } from './deps.ts'

const retryAfterSeconds = '5'

export const livez = () =>
  operation({
    id: 'livez',
    method: 'GET',
    path: '/livez',
    summary: 'Check that the process responds',
    tag: 'Health',
    isProbe: true,
    auth: 'none',
    answers: ok('The process responds', v.object({ status: v.literal('ok') })),
    handle: async () => json({ status: 'ok' }),
  })

const readiness = v.object({
  status: noted(
    v.picklist(['ok', 'degraded', 'unavailable']),
    '`degraded`: ready, but uploads are refused, or files and database do not match',
  ),
  uploads: noted(
    v.picklist(uploadStates),
    '`disk_full`: uploads are refused until a disk has space again; downloads work',
  ),
  database: v.boolean(),
  disk: noted(v.boolean(), 'The storage disk has space, or the bucket answers'),
  database_disk: noted(
    v.boolean(),
    'The database disk has space; always true with DATABASE_URL, because it is not checked',
  ),
  storage: v.optional(
    noted(
      v.object({
        missing: noted(nonNegative, 'Segments without a file', 1),
        short: noted(nonNegative, 'Segments that lost bytes at their end', 0),
        orphaned: noted(nonNegative, 'Folders unknown to the database', 0),
      }),
      'Problems found, only while `degraded`',
    ),
  ),
})

export const readyz = (deps: AdminDeps) =>
  operation({
    id: 'readyz',
    method: 'GET',
    path: '/readyz',
    summary: 'Check that requests are served, and whether uploads are',
    tag: 'Health',
    isProbe: true,
    auth: 'none',
    answers: {
      200: { description: 'Ready', schema: readiness },
      503: { description: 'Not ready', schema: readiness },
    },
    async handle() {
      const { isReady, uploads, database, disk, databaseDisk } = await checkHealth(deps)
      const checks = { uploads, database, disk, database_disk: databaseDisk }
      if (!isReady) {
        const headers = { 'Retry-After': retryAfterSeconds }
        return json({ status: 'unavailable', ...checks }, { status: 503, headers })
      }
      const { isFine, last } = deps.startCheck
      const problems = isFine ? null : last
      const status = problems || uploads === 'disk_full' ? 'degraded' : 'ok'
      if (!problems) return json({ status, ...checks })
      const { missing, short, orphaned } = problems
      return json({ status, ...checks, storage: { missing, short, orphaned } })
    },
  })
