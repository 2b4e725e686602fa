import * as v from 'valibot'
import { json, success } from '../../http/answer.ts'
import { jsonBody, ok, operation } from '../../http/operation.ts'
import {
  named,
  nonNegative,
  noted,
  optional,
  successSchema,
  text,
  timestamp,
} from '../../http/schema.ts'
import { addressCharactersMax } from '../../lib/email-address.ts'
import { emailOutcomes } from '../sql.ts'
import { ResendToken } from '../recipients/resend-token.ts'
import type { PersonalLink } from './sql.ts'
import type { ShareDeps } from '../deps.ts'
import { manages, reads, sends } from '../schemas.ts'

const personSchema = named(
  'SharePerson',
  v.object({
    id: noted(v.string(), 'Id of the personal link'),
    email: noted(v.string(), 'Empty for a person without one', 'ada@example.org'),
    name: v.string(),
    url: noted(v.pipe(v.string(), v.url()), 'The personal link'),
    created_at: timestamp,
    revoked_at: noted(v.nullable(timestamp), 'Null while the link works'),
    first_opened_at: noted(v.nullable(timestamp), 'Null until its files were seen'),
    last_opened_at: v.nullable(timestamp),
    download_count: noted(nonNegative, 'Clients that have downloaded or previewed with it', 2),
    device_count: noted(
      nonNegative,
      'Different browsers among them: many mean a passed-on link',
      1,
    ),
    mail_status: noted(
      v.nullable(v.picklist(['queued', 'sent', 'dead'])),
      'State of the latest email with it; null if none is known',
    ),
    mail_at: v.nullable(timestamp),
  }),
)

export const listSharePeople = (deps: ShareDeps) =>
  operation({
    id: 'listSharePeople',
    method: 'GET',
    path: '/api/shares/{shareId}/people',
    summary: 'List the personal links of a share for named people, and what they were used for',
    ...reads,
    answers: ok('In the order they were named, with the revoked ones', v.array(personSchema)),
    load: ({ actor, params }) => deps.shares.findOwn(actor, params['shareId']!),
    async handle(_call, share) {
      const links = await deps.personalLinks.list(share.id)
      return json(
        links.map((link) => ({
          ...presentLink(deps, link),
          revoked_at: link.revokedAt?.toISOString() ?? null,
          first_opened_at: link.firstOpenedAt?.toISOString() ?? null,
          last_opened_at: link.lastOpenedAt?.toISOString() ?? null,
          download_count: link.downloadCount,
          device_count: link.deviceCount,
          mail_status: link.sent?.state ?? null,
          mail_at: link.sent?.at?.toISOString() ?? null,
        })),
      )
    },
  })

export const addSharePerson = (deps: ShareDeps) =>
  operation({
    id: 'addSharePerson',
    method: 'POST',
    path: '/api/shares/{shareId}/people',
    summary: 'Give one more person a link to a share for named people, and email it to them',
    ...sends,
    body: jsonBody(
      v.object({
        email: noted(
          optional(text(0, addressCharactersMax)),
          'Empty or absent: pass the link on yourself',
          'ada@example.org',
        ),
        name: noted(optional(text(0, 100)), 'Required without an email address', 'Ada'),
      }),
    ),
    answers: ok(
      'The new link',
      v.object({
        id: v.string(),
        email: v.string(),
        name: v.string(),
        url: v.pipe(v.string(), v.url()),
        created_at: timestamp,
        mail: noted(
          v.optional(v.picklist(emailOutcomes)),
          'Absent for a draft, whose people are emailed later, and without an address',
        ),
      }),
    ),
    errors: ['conflict', 'expired', 'rate_limited'],
    load: ({ actor, params }) => deps.shares.findOwn(actor, params['shareId']!),
    async handle({ actor, body }, share) {
      const token = new ResendToken(deps.resendLimiter, share.ownerId)
      const person = { email: body.email ?? '', name: body.name ?? '' }
      const adding = deps.personalLinks.add(actor, share.id, person, token)
      const { link, outcome } = await token.during(adding)
      return json({ ...presentLink(deps, link), ...(outcome && { mail: outcome }) })
    },
  })

export const removeSharePerson = (deps: ShareDeps) =>
  operation({
    id: 'removeSharePerson',
    method: 'DELETE',
    path: '/api/shares/{shareId}/people/{linkId}',
    summary: 'Revoke a personal link at once, with the downloads that run through it',
    ...manages,
    answers: ok('The link is gone', successSchema),
    async handle({ actor, params }) {
      await deps.personalLinks.revoke(actor, params['shareId']!, params['linkId']!)
      return success()
    },
  })

function presentLink({ shareUrl }: ShareDeps, link: PersonalLink) {
  const { id, token, email, name, createdAt } = link
  const url = shareUrl({ id: token, slug: null })
  return { id, email, name, url, created_at: createdAt.toISOString() }
}
