import * as v from 'valibot'
import { json } from '../http/answer.ts'
import { operation } from '../http/operation.ts'
import { nonNegative, noted } from '../http/schema.ts'
import type { Health } from './health.ts'

export interface HealthOperationDeps {
  readonly health: Health
}

export const livez = () =>
  operation({
    id: 'livez',
    method: 'GET',
    path: '/livez',
    summary: 'Check that the process responds',
    tag: 'Health',
    auth: 'none',
    answers: {
      200: { description: 'The process responds', schema: v.object({ status: v.literal('ok') }) },
    },
    errors: [],
    async handle() {
      return json({ status: 'ok' })
    },
  })

const readiness = v.object({
  status: noted(
    v.picklist(['ok', 'degraded', 'unavailable']),
    '`degraded`: ready, but files and database do not match',
  ),
  database: v.boolean(),
  disk: noted(v.boolean(), 'The storage disk has space'),
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

export const readyz = (deps: HealthOperationDeps) =>
  operation({
    id: 'readyz',
    method: 'GET',
    path: '/readyz',
    summary: 'Check that the database responds and the disks have space',
    tag: 'Health',
    auth: 'none',
    answers: {
      200: { description: 'Ready', schema: readiness },
      503: { description: 'Not ready', schema: readiness },
    },
    errors: [],
    async handle() {
      const { database, disk, databaseDisk } = await deps.health.check()
      const checks = { database, disk, database_disk: databaseDisk }
      const isReady = database && disk && databaseDisk
      if (!isReady) return json({ status: 'unavailable', ...checks }, { status: 503 })
      const { problems } = deps.health
      if (!problems) return json({ status: 'ok', ...checks })
      const { missing, short, orphaned } = problems
      return json({ status: 'degraded', ...checks, storage: { missing, short, orphaned } })
    },
  })
