import * as v from 'valibot'
import { json, type WithLists } from '../../http/answer.ts'
import { jsonBody, ok, operation, textBytesMax } from '../../http/operation.ts'
import { named, nonNegative, noted, optional, wholeNumber } from '../../http/schema.ts'
import { emptyFoldersSchema, presentEmptyFolders } from '../../bytes/file-schemas.ts'
import { expirationUnits } from '../../settings/table.ts'
import { manages, newShareSchema, presentShare, reads, shareSchema } from '../schemas.ts'
import type { ShareDetails } from './changes.ts'
import { recipientProofs } from '../sql.ts'
import type { ShareDeps } from '../deps.ts'

const { customSlug: _newOnly, ...changeable } = newShareSchema.entries

export const shareChangeSchema = v.object({
  ...changeable,
  published: noted(optional(v.boolean()), 'Whether the link of a draft already works'),
  notifyDownloads: noted(
    optional(v.boolean()),
    'Whether you get an email about downloads: at most one an hour, not about previews',
    true,
  ),
  expectedBytes: noted(
    optional(wholeNumber(0, Number.MAX_SAFE_INTEGER)),
    'Expected size of a draft in bytes, for its progress; not a limit, 0 if unknown',
    52_428_800,
  ),
})

/** A share of the owner's list, with fields that are too long or too rarely used for the list. */
const shareDetailsSchema = named(
  'ShareDetails',
  v.object({
    ...shareSchema.entries,
    empty_folders: emptyFoldersSchema,
    message: v.string(),
    recipients: noted(v.string(), 'Recipients as entered'),
    recipientProof: v.picklist(recipientProofs),
    slug: noted(v.string(), 'Custom link; empty for none'),
    notifyDownloads: noted(v.boolean(), 'Whether the owner gets emails about downloads'),
    expirationVal: noted(nonNegative, 'Units until the link expires; 0 for never', 7),
    expirationUnit: noted(v.picklist(expirationUnits), 'Unit of expirationVal', 'Days'),
    fixedExpiry: noted(v.boolean(), 'Whether expires_at was chosen as a moment'),
  }),
)

export const getShare = (deps: ShareDeps) =>
  operation({
    id: 'getShare',
    method: 'GET',
    path: '/api/shares/{shareId}',
    summary: 'Get a share of the caller with all details, including drafts and expired shares',
    ...reads,
    answers: ok('The share', shareDetailsSchema),
    load: ({ actor, params }) => deps.shareChanges.find(actor, params['shareId']!),
    handle: async (_call, details) => json(presentDetails(deps, details)),
  })

export const updateShare = (deps: ShareDeps) =>
  operation({
    id: 'updateShare',
    method: 'PATCH',
    path: '/api/shares/{shareId}',
    summary: 'Change a share; changing or removing the password locks it for everyone',
    ...manages,
    body: jsonBody(shareChangeSchema, textBytesMax),
    answers: ok('The changed share', shareDetailsSchema),
    errors: ['already_complete', 'slug_taken', 'expired'],
    load: ({ actor, params }) => deps.shareChanges.findOpen(actor, params['shareId']!),
    handle: async ({ actor, body }, share) =>
      json(presentDetails(deps, await deps.shareChanges.update(actor, share.id, body))),
  })

export const stopShare = (deps: ShareDeps) =>
  operation({
    id: 'stopShare',
    method: 'POST',
    path: '/api/shares/{shareId}/stop',
    summary: 'End a complete share now, as if it had expired; the next clean-up removes its files',
    ...manages,
    answers: ok('The changed share', shareDetailsSchema),
    errors: ['conflict', 'expired'],
    load: ({ actor, params }) => deps.shareChanges.findOpen(actor, params['shareId']!),
    handle: async ({ actor }, share) =>
      json(presentDetails(deps, await deps.shareChanges.stop(actor, share.id))),
  })

type PresentedDetails = WithLists<
  Omit<v.InferOutput<typeof shareDetailsSchema>, 'empty_folders'>,
  'files'
> &
  ReturnType<typeof presentEmptyFolders>

function presentDetails(deps: ShareDeps, details: ShareDetails): PresentedDetails {
  const { share, emptyFolders } = details
  return {
    ...presentShare(details, deps.shareUrl(share)),
    ...presentEmptyFolders(emptyFolders),
    message: share.message,
    recipients: share.recipients,
    recipientProof: share.recipientProof,
    slug: share.slug ?? '',
    notifyDownloads: share.notifyDownloads,
    expirationVal: share.expirationValue,
    expirationUnit: share.expirationUnit,
    fixedExpiry: share.isEndFixed,
  }
}
