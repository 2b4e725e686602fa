import * as v from 'valibot'
import { json } from '../http/answer.ts'
import { jsonBody, ok, operation, type Operation } from '../http/operation.ts'
import { bytes, named, nonNegative, noted } from '../http/schema.ts'
import { otherNameEntries } from './other-names.ts'
import type { Settings } from './settings.ts'
import { sizeAliasEntries } from './size-alias.ts'
import {
  defaultSettings,
  expirationUnits,
  expirationValMax,
  settingKeys,
  settingsTable,
} from './table.ts'

const open = { tag: 'Settings', auth: 'none' } as const
const administrator = { tag: 'Settings', auth: 'admin', scope: 'administer' } as const

/** Every setting under its key, plus unknown keys. */
function settingsObject(hasDefaults: boolean, more: v.ObjectEntries = {}) {
  const settings = settingKeys.map((key) => {
    const { schema, doc, default: standard } = settingsTable[key]
    const value = noted<v.GenericSchema>(schema, doc)
    return [key, v.optional(value, hasDefaults ? standard : undefined)] as const
  })
  const entries = { ...Object.fromEntries(settings), ...sizeAliasEntries, ...more }
  return v.objectWithRest(entries, v.unknown())
}

/** Others than administrators see fewer keys; custom values may be added. */
const configSchema = named('Config', settingsObject(true))
/** Absent settings stay unchanged; settings.ts stores unknown keys. */
const configChanges = named('ConfigChanges', settingsObject(false, otherNameEntries))

const brandingSchema = named(
  'Branding',
  v.object(
    Object.fromEntries(
      settingKeys
        .filter((key) => settingsTable[key].isPublic)
        .map((key) => [key, noted(v.string(), settingsTable[key].doc)]),
    ),
  ),
)

/** Includes logos, the picture behind the card, and custom settings. */
const configBytesMax = 4 * 1024 * 1024

const getConfig = (settings: Settings) =>
  operation({
    id: 'getConfig',
    method: 'GET',
    path: '/api/config',
    summary: 'Get the settings: all for administrators, the branding for everyone else',
    tag: 'Settings',
    auth: 'user',
    scope: 'read',
    answers: ok('The settings', configSchema),
    handle: async ({ actor }) => json(actor.isAdmin ? settings.all() : settings.branding()),
  })

const getConfigDefaults = () =>
  operation({
    id: 'getConfigDefaults',
    method: 'GET',
    path: '/api/config/defaults',
    summary: 'Get the default settings',
    ...administrator,
    answers: ok('The defaults', configSchema),
    handle: async () => json(defaultSettings),
  })

const updateConfig = (settings: Settings) =>
  operation({
    id: 'updateConfig',
    method: 'PUT',
    path: '/api/config',
    summary: 'Change settings, either all given settings or none',
    ...administrator,
    body: jsonBody(configChanges, configBytesMax),
    answers: ok(
      'Changed; `unknownKeys` names the keys that are not settings: they have no effect',
      v.object({ success: v.boolean(), unknownKeys: v.array(v.string()) }),
    ),
    errors: [
      'api_token_not_allowed',
      'confirmation_required',
      'mail_not_configured',
      'no_other_sign_in',
    ],
    handle: async ({ actor, body }) =>
      json({ success: true, unknownKeys: await settings.update(actor, body) }),
  })

const getBranding = (settings: Settings) =>
  operation({
    id: 'getBranding',
    method: 'GET',
    path: '/api/public/branding',
    summary: 'Get the name, colours and links of this deployment',
    ...open,
    answers: ok('The branding', brandingSchema),
    handle: async () => json(settings.branding()),
  })

const limitsSchema = named(
  'Limits',
  v.object({
    maxChunkSize: bytes,
    maxFileSize: noted(nonNegative, 'Bytes; 0 for no limit', 0),
    maxShareSize: noted(nonNegative, 'Bytes; 0 for no limit', 0),
    defaultExpirationVal: noted(nonNegative, 'Units; 0 for never', 7),
    defaultExpirationUnit: v.picklist(expirationUnits),
    maxExpirationVal: noted(nonNegative, 'Units; 0 for no limit', 0),
    maxExpirationUnit: v.picklist(expirationUnits),
    expirationValMax: noted(nonNegative, 'The largest `expirationVal`, in any unit', 10_000),
    blockedExtensions: noted(v.array(v.string()), 'Extensions that account holders may not send'),
    blockedExtensionsGuests: noted(v.array(v.string()), 'Extensions that guests may not send'),
  }),
)

const getLimits = (settings: Settings) =>
  operation({
    id: 'getLimits',
    method: 'GET',
    path: '/api/limits',
    summary: 'Get the limits for clients; sizes in bytes, 0 for no limit',
    ...open,
    answers: ok('The limits', limitsSchema),
    handle: async () => json(v.parse(limitsSchema, { ...settings.values, expirationValMax })),
  })

export function settingsOperations(settings: Settings): Operation[] {
  return [getConfig, getConfigDefaults, updateConfig, getBranding, getLimits].map((declare) =>
    declare(settings),
  )
}
