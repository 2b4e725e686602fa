import * as v from 'valibot'
import { json, text, type Answer } from '../http/answer.ts'
import { prefers } from '../http/negotiation.ts'
import { byPut, operation } from '../http/operation.ts'
import { numberInText, optional, parseInput } from '../http/schema.ts'
import { finalizeErrors } from '../bytes/receive/finalize-body.ts'
import {
  receiveTar,
  tarBody,
  tarErrors,
  tarReceiptFields,
} from '../bytes/receive/upload-operations.ts'
import type { TarReceipt } from '../bytes/receive/incoming-tar.ts'
import { CodedError, invalidInput } from '../lib/errors.ts'
import { expirationValMax } from '../settings/table.ts'
import { maxDownloadsMax, newShareOf, newShareSchema, sends } from './schemas.ts'
import type { ShareDeps } from './deps.ts'

const { password: passwordField, customSlug: _other, ...fields } = newShareSchema.entries
const passwordSchema = v.object({ password: passwordField })

const tarQuery = v.object({
  ...fields,
  maxDownloads: optional(
    numberInText([0, maxDownloadsMax], 'Download limit of the link; 0 for no limit', 10),
  ),
  expirationVal: optional(
    numberInText([0, expirationValMax], 'Time until the link expires; 0 for never', 7),
  ),
})

export const sendTar = (deps: ShareDeps) =>
  operation({
    id: 'sendTar',
    method: 'POST',
    path: '/api/tar',
    summary: 'Share the files of a tar archive: start, upload and complete in one request',
    description:
      'For pipes: `tar c photos | curl -T - …`. The header `X-Share-Password` sets a password, ' +
      'because addresses are logged on the way. `Accept: text/plain` asks for the bare link, and ' +
      'a line for each entry that was skipped. ' +
      'After an error nothing is left.',
    ...sends,
    limit: { name: 'upload', counts: 'authorised' },
    query: tarQuery,
    body: tarBody,
    answers: {
      200: {
        description: 'Complete; the link works from now on',
        schema: v.object({
          ...tarReceiptFields,
          shareId: v.string(),
          shareUrl: v.pipe(v.string(), v.url()),
        }),
        alternative: 'text/plain',
      },
    },
    errors: [
      ...new Set([...tarErrors, ...finalizeErrors, 'not_found' as const, 'slug_taken' as const]),
    ],
    async handle({ actor, context, query, search, lookAgain }) {
      // Ignored like unknown parameters, it would leave the link open.
      if (search.has('password')) throw invalidInput('password', 'belongs in X-Share-Password')
      const given = { password: readPassword(context.header('x-share-password')) }
      const { password } = parseInput(passwordSchema, given)
      const { shareId } = await deps.shares.init(actor, newShareOf({ ...query, password }))
      try {
        const share = await deps.shares.findUnfinished(actor, shareId)
        const receipt = await receiveTar(
          context,
          deps.uploads,
          deps.shares.uploadTarget(actor, share),
          lookAgain,
        )
        if (receipt.files === 0) throw noFiles(receipt.folders)
        const complete = { files: null, discardUnlisted: false, token: null }
        await deps.shares.finalize(actor, share, complete)
        const shareUrl = deps.shareUrl(share)
        return answerWith(
          { success: true, ...receipt, shareId, shareUrl },
          context.header('accept'),
        )
      } catch (error) {
        // The client does not know the id of the draft, so it could not go on with it.
        await deps.shares.deleteAny(actor, shareId).catch(() => {})
        throw error
      }
    },
  })

export const putTar = (deps: ShareDeps) => byPut(sendTar(deps))

/**
 * Clients send UTF-8, which Node reads as Latin-1. An empty header is most often an unset variable.
 * @throws CodedError invalid_input
 */
function readPassword(header: string | undefined): string {
  if (header === undefined) return ''
  if (header.trim() === '') throw invalidInput('X-Share-Password', 'must not be empty')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'latin1'))
  } catch {
    throw invalidInput('X-Share-Password', 'must be UTF-8')
  }
}

/** A link to nothing is most often a wrong path in a pipe. Folders alone are not shown anywhere. */
function noFiles(folders: number): CodedError {
  const found = folders > 0 ? 'nothing but folders' : 'no files'
  return new CodedError('invalid_tar', {
    message: `The archive has ${found}. A share needs at least one file.`,
  })
}

function answerWith(
  result: TarReceipt & { success: boolean; shareId: string; shareUrl: string },
  accept: string | undefined,
): Answer {
  const isText = prefers(accept, 'text/plain', 'application/json')
  return isText ? text(`${result.shareUrl}\n${skippedLines(result)}`) : json(result)
}

/** What the share lacks, a line each; nothing for most archives. */
function skippedLines({ skipped, skippedCount }: TarReceipt): string {
  const lines = skipped.map(
    ({ path, reason }) => `skipped: ${path.replaceAll(/\p{Cc}/gu, '?')} (${reason})\n`,
  )
  const more = skippedCount - skipped.length
  return lines.join('') + (more > 0 ? `skipped: ${more} more\n` : '')
}
