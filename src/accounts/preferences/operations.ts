import * as v from 'valibot'
import { json } from '../../http/answer.ts'
import { jsonBody, ok, operation, textBytesMax } from '../../http/operation.ts'
import { named, nonNegative, noted, optional, text, wholeNumber } from '../../http/schema.ts'
import { languages } from '../../lib/language.ts'
import { timeZoneOrNone } from '../../settings/schemas.ts'
import { expirationUnits, expirationValMax } from '../../settings/table.ts'
import type { AccountDeps } from '../deps.ts'
import * as preferences from './preferences.ts'

const preferencesSchema = named(
  'Preferences',
  v.object({
    expirationVal: noted(v.nullable(nonNegative), 'Units until links expire; 0 for never', 7),
    expirationUnit: v.nullable(v.picklist(expirationUnits)),
    maxDownloads: noted(v.nullable(nonNegative), '0 for no limit'),
    message: v.nullable(v.string()),
    startRightAway: noted(
      v.nullable(v.boolean()),
      'The choice of the account; null to use the setting `startRightAway`',
    ),
    startsRightAway: noted(
      v.boolean(),
      'Value in effect: `startRightAway`, or the setting if that is null',
    ),
    language: noted(
      v.nullable(v.picklist(languages)),
      'Language of emails to the account; null to use the setting `language`',
    ),
    timeZone: noted(
      v.nullable(v.string()),
      'Time zone of emails to the account and of its links; null to use the setting `timeZone`',
    ),
  }),
)

export const getPreferences = (deps: AccountDeps) =>
  operation({
    id: 'getPreferences',
    method: 'GET',
    path: '/api/account/preferences',
    summary:
      "Get the caller's defaults for new shares in the web UI, and the language of emails; " +
      'null where nothing was chosen',
    tag: 'Account',
    auth: 'user',
    scope: 'read',
    answers: ok('The preferences', preferencesSchema),
    handle: async ({ actor }) => json(await preferences.read(deps, actor)),
  })

export const putPreferences = (deps: AccountDeps) =>
  operation({
    id: 'putPreferences',
    method: 'PUT',
    path: '/api/account/preferences',
    summary:
      'Set the defaults for new shares and the language of emails; absent or null fields are ' +
      'reset',
    tag: 'Account',
    auth: 'user',
    scope: 'manage',
    body: jsonBody(
      v.object({
        expirationVal: noted(
          optional(wholeNumber(0, expirationValMax)),
          'Units until links expire; 0 for never',
          7,
        ),
        expirationUnit: noted(
          optional(v.picklist(expirationUnits)),
          'Unit of expirationVal',
          'Days',
        ),
        maxDownloads: noted(optional(wholeNumber(0, 2 ** 31 - 1)), '0 for no limit', 10),
        message: optional(text(0, 10_000)),
        startRightAway: noted(
          optional(v.boolean()),
          'Whether uploads start as soon as files are chosen, or with Get link',
        ),
        language: noted(optional(v.picklist(languages)), 'Language of emails to you', 'de'),
        timeZone: noted(
          optional(v.pipe(text(0, 100), timeZoneOrNone)),
          'Time zone of emails to you',
          'Europe/Berlin',
        ),
      }),
      textBytesMax,
    ),
    answers: ok('The changed preferences', preferencesSchema),
    handle: async ({ actor, body }) => json(await preferences.write(deps, actor, body)),
  })
