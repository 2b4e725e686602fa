import * as v from 'valibot'
import { fileSelection } from '../../bytes/file-schemas.ts'
import { json, success } from '../../http/answer.ts'
import { ok, operation } from '../../http/operation.ts'
import { noted, successSchema, wholeNumber } from '../../http/schema.ts'
import type { ShareDeps } from '../deps.ts'
import { manages, sends } from '../schemas.ts'

/** Removed files of one request: each is a row with its extents. */
const removedMax = 1000

export const startAdditions = (deps: ShareDeps) =>
  operation({
    id: 'startAdditions',
    method: 'POST',
    path: '/api/shares/{shareId}/additions',
    summary: 'Start adding files to a complete share, which then accepts chunks until finalized',
    ...sends,
    answers: ok(
      'The share accepts chunks; the token can send and finalize them',
      v.object({ success: v.boolean(), shareId: v.string(), uploadToken: v.string() }),
    ),
    errors: ['conflict', 'expired'],
    async handle({ actor, params }) {
      const shareId = params['shareId']!
      const uploadToken = await deps.additions.start(actor, shareId)
      return json({ success: true, shareId, uploadToken })
    },
  })

export const cancelAdditions = (deps: ShareDeps) =>
  operation({
    id: 'cancelAdditions',
    method: 'DELETE',
    path: '/api/shares/{shareId}/additions',
    summary: 'Cancel adding files; the share stays as it is',
    ...sends,
    answers: ok('Adding files is cancelled', successSchema),
    errors: ['conflict', 'expired'],
    async handle({ actor, params }) {
      await deps.additions.cancel(actor, params['shareId']!)
      return success()
    },
  })

export const deleteShareFile = (deps: ShareDeps) =>
  operation({
    id: 'deleteShareFile',
    method: 'DELETE',
    path: '/api/shares/{shareId}/files/{fileId}',
    summary: 'Permanently remove a file from a complete share',
    ...manages,
    answers: ok('Removed', successSchema),
    errors: ['conflict', 'expired'],
    load: ({ actor, params }) => deps.additions.findOpen(actor, params['shareId']!),
    async handle({ actor, params }, share) {
      await deps.additions.removeFiles(actor, share.id, [Number(params['fileId'])])
      return success()
    },
  })

export const deleteShareFiles = (deps: ShareDeps) =>
  operation({
    id: 'deleteShareFiles',
    method: 'DELETE',
    path: '/api/shares/{shareId}/files',
    summary: 'Permanently remove up to 1,000 files from a complete share, ignoring missing ones',
    ...manages,
    query: v.object({ files: fileSelection('Ids of the files to remove', removedMax) }),
    answers: ok(
      'Removed',
      v.object({
        success: v.boolean(),
        removed: noted(wholeNumber(0, removedMax), 'Number of removed files', 6),
      }),
    ),
    errors: ['conflict', 'expired'],
    load: ({ actor, params }) => deps.additions.findOpen(actor, params['shareId']!),
    async handle({ actor, query }, share) {
      const removed = await deps.additions.removeFiles(actor, share.id, query.files)
      return json({ success: true, removed })
    },
  })
