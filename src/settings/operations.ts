import * as v from 'valibot'
import { json } from '../http/answer.ts'
import { jsonBody, operation } from '../http/operation.ts'
import { nonNegative } from '../http/schema.ts'
import type { Settings } from './settings.ts'
import { settingKeys, settingsTable } from './table.ts'

export interface SettingsRoom {
  readonly settings: Settings
}

const declare = operation<SettingsRoom>()
const openObject = v.record(v.string(), v.unknown())

const brandingSchema = v.object(
  Object.fromEntries(
    settingKeys.filter((key) => settingsTable[key].isPublic).map((key) => [key, v.string()]),
  ),
)

export const getConfig = declare({
  id: 'getConfig',
  method: 'GET',
  path: '/api/config',
  summary: 'The settings: all of them for administrators, the branding for everybody else',
  tag: 'Settings',
  auth: 'user',
  answers: { 200: { description: 'The settings', schema: openObject } },
  errors: ['unauthorized'],
  async handle(room, { actor }) {
    return json(actor.isAdmin ? room.settings.all() : room.settings.branding())
  },
})

export const updateConfig = declare({
  id: 'updateConfig',
  method: 'PUT',
  path: '/api/config',
  summary: 'Change some settings, all that are given or none',
  tag: 'Settings',
  auth: 'admin',
  body: jsonBody(openObject),
  answers: {
    200: {
      description: 'Changed; `unknownKeys` names what no setting is called',
      schema: v.object({ success: v.boolean(), unknownKeys: v.array(v.string()) }),
    },
  },
  errors: ['invalid_input', 'unauthorized', 'forbidden', 'cross_site'],
  async handle(room, { actor, body }) {
    return json({ success: true, unknownKeys: await room.settings.update(actor, body) })
  },
})

export const getBranding = declare({
  id: 'getBranding',
  method: 'GET',
  path: '/api/public/branding',
  summary: 'Name, colours and links of this deployment',
  tag: 'Settings',
  auth: 'none',
  answers: { 200: { description: 'The branding', schema: brandingSchema } },
  errors: [],
  async handle(room) {
    return json(room.settings.branding())
  },
})

const limitsSchema = v.object({
  maxChunkSize: nonNegative,
  maxFileSize: nonNegative,
  maxShareSize: nonNegative,
  defaultExpirationVal: nonNegative,
  defaultExpirationUnit: v.string(),
  maxExpirationVal: nonNegative,
  maxExpirationUnit: v.string(),
  blockedExtensions: v.array(v.string()),
  blockedExtensionsGuests: v.array(v.string()),
})

export const getLimits = declare({
  id: 'getLimits',
  method: 'GET',
  path: '/api/limits',
  summary: 'What clients must keep to; sizes in bytes, 0 for no limit',
  tag: 'Settings',
  auth: 'none',
  answers: { 200: { description: 'The limits', schema: limitsSchema } },
  errors: [],
  async handle(room) {
    return json(v.parse(limitsSchema, room.settings.values))
  },
})
