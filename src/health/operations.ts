import * as v from 'valibot'
import { json } from '../http/answer.ts'
import { operation } from '../http/operation.ts'
import { noted } from '../http/schema.ts'
import type { Health } from './health.ts'

export interface HealthRoom {
  readonly health: Health
}

const declare = operation<HealthRoom>()

export const livez = declare({
  id: 'livez',
  method: 'GET',
  path: '/livez',
  summary: 'Whether the process answers at all',
  tag: 'Health',
  auth: 'none',
  answers: { 200: { description: 'It does', schema: v.object({ status: v.literal('ok') }) } },
  errors: [],
  async handle() {
    return json({ status: 'ok' })
  },
})

const readiness = v.object({
  status: v.picklist(['ok', 'unavailable']),
  database: v.boolean(),
  disk: noted(v.boolean(), 'The disk of the files takes more'),
  database_disk: noted(
    v.boolean(),
    'The disk of the database takes more; always true with DATABASE_URL, where it is not looked at',
  ),
})

export const readyz = declare({
  id: 'readyz',
  method: 'GET',
  path: '/readyz',
  summary: 'Whether the database answers and the disk takes files',
  tag: 'Health',
  auth: 'none',
  answers: {
    200: { description: 'Ready', schema: readiness },
    503: { description: 'Not ready', schema: readiness },
  },
  errors: [],
  async handle(room) {
    const { database, disk, databaseDisk } = await room.health.check()
    const isReady = database && disk && databaseDisk
    return json(
      { status: isReady ? 'ok' : 'unavailable', database, disk, database_disk: databaseDisk },
      { status: isReady ? 200 : 503 },
    )
  },
})
