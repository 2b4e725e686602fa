import * as v from 'valibot'
import { linkTokens, type Credentials } from '../accounts/sign-in/credentials.ts'
import type { LinkAttempts } from './link-attempts.ts'
import { unlockLifeMs } from './link-password.ts'
import { leaseLifeMs } from '../blobs/send/counting.ts'
import type { Delivery } from '../blobs/send/delivery.ts'
import type { Downloads } from '../blobs/send/downloads.ts'
import { fileDisposition, inlineQuery } from '../blobs/send/inline.ts'
import { parseSelection, selectionKey, selectionPattern } from '../blobs/send/selection.ts'
import { presentFile, shareFileSchema, type ShareFile } from '../blobs/file-schemas.ts'
import { json } from '../http/answer.ts'
import { limiterKey } from '../http/client-ip.ts'
import { archiveDisposition } from '../http/content-disposition.ts'
import { parseCookies, serializeCookie } from '../http/cookies.ts'
import type { RequestContext } from '../http/request-context.ts'
import { LongList } from '../http/json-stream.ts'
import { jsonBody, operation, type LoadCall } from '../http/operation.ts'
import type { Limiter } from '../http/rate-limit.ts'
import { requireToken } from '../http/run.ts'
import { noted, optional, text } from '../http/schema.ts'
import { CodedError } from '../lib/errors.ts'
import { mapPages } from '../lib/pages.ts'
import type { Introduce, OpenedShare, PublicShares } from './public-shares.ts'
import { publicShareSchema } from './schemas.ts'
import type { ShareRow } from './sql.ts'

export interface PublicSharesOperationDeps {
  readonly publicShares: PublicShares
  readonly downloads: Downloads
  readonly credentials: Credentials
  readonly https: boolean
  readonly linkAttempts: LinkAttempts
  /** Counted downloads per client address. */
  readonly downloadLimiter: Limiter
  /** Archives of chosen files that are laid out anew, per client address. */
  readonly layoutLimiter: Limiter
}

const asOwner = noted(
  optional(v.literal('owner')),
  'Answer only the owner, even after expiry while the files exist. Downloads by the owner ' +
    'are never counted and need no password, with or without this field',
)
const selectedFiles = v.pipe(
  v.string(),
  v.metadata({ description: 'Ids of the requested files; all if absent', examples: ['3,5-9'] }),
  v.regex(selectionPattern, 'must be file ids or ranges of file ids, separated by commas'),
  v.transform(parseSelection),
  v.custom<number[]>(Array.isArray, 'must be at most 100,000 file ids'),
)
/** What `?as=owner` asks of an API token. */
const owners = { scope: 'read' } as const

const downloadErrors = [
  'unauthorized',
  'insufficient_scope',
  'second_factor_required',
  'password_required',
  'not_a_script',
  'not_found',
  'expired',
  'file_damaged',
  'download_limit',
  'range_not_satisfiable',
  'precondition_failed',
  'rate_limited',
] as const
const downloadAnswers = {
  200: { description: 'The whole file', contentType: '*/*', headers: ['Set-Cookie'] },
  206: { description: 'The requested range', contentType: '*/*', headers: ['Set-Cookie'] },
  304: { description: 'Not modified' },
} as const

export const getPublicShare = (deps: PublicSharesOperationDeps) =>
  operation({
    id: 'getPublicShare',
    method: 'GET',
    path: '/api/public/shares/{shareId}',
    summary: 'Get the share behind a link; only the name of a protected share until it is unlocked',
    tag: 'Public shares',
    auth: 'none',
    linkToken: 'unlock',
    answers: { 200: { description: 'The share', schema: publicShareSchema } },
    errors: ['not_found', 'expired', 'download_limit', 'rate_limited'],
    load: ({ context, params }) =>
      deps.publicShares.findVisible(params['shareId']!, introduce(context)),
    async handle(_call, found) {
      const { share, isUnlocked } = found
      const isComplete = share.state === 'complete'
      return json({
        name: share.name,
        message: isUnlocked ? share.message : '',
        protected: share.passwordHash !== null,
        files: isUnlocked && isComplete ? listed(deps, share) : [],
        ownerName: share.ownerName,
        status: isComplete ? 'complete' : 'uploading',
        progress: await deps.publicShares.progress(found),
      })
    },
  })

export const verifySharePassword = (deps: PublicSharesOperationDeps) =>
  operation({
    id: 'verifySharePassword',
    method: 'POST',
    path: '/api/shares/{shareId}/verify',
    summary: 'Unlock a protected share for an hour',
    tag: 'Public shares',
    auth: 'none',
    body: jsonBody(v.object({ password: text(0, 256) })),
    answers: {
      200: {
        description: 'Unlocked: use the cookie, or the token as Bearer',
        schema: v.object({
          valid: v.boolean(),
          files: noted(v.array(shareFileSchema), 'Empty while files are still being uploaded'),
          message: noted(v.string(), 'Message to the recipients'),
          accessToken: noted(v.string(), 'Bearer token of this share, valid for an hour'),
        }),
        headers: ['Set-Cookie'],
      },
    },
    errors: [
      'invalid_input',
      'wrong_password',
      'not_found',
      'expired',
      'download_limit',
      'rate_limited',
      'cross_site',
    ],
    async load({ context, params }) {
      return (await deps.publicShares.findVisible(params['shareId']!, introduce(context))).share
    },
    async handle({ body, ip }, share) {
      const accessToken = await deps.linkAttempts.during({ kind: 'share', ...share }, ip, () =>
        deps.publicShares.unlock(share, body.password, ip),
      )
      const cookie = serializeCookie(`unlock_${share.id}`, accessToken, {
        maxAgeSeconds: unlockLifeMs / 1000,
        secure: deps.https,
      })
      const { message } = share
      const files = share.state === 'complete' ? listed(deps, share) : []
      return json({ valid: true, files, message, accessToken }, { cookies: [cookie] })
    },
  })

export const downloadShareZip = (deps: PublicSharesOperationDeps) =>
  operation({
    id: 'downloadShareZip',
    method: 'GET',
    path: '/api/shares/{shareId}/download',
    summary: 'Download all or selected files of a share as a resumable ZIP',
    tag: 'Public shares',
    auth: 'none',
    linkToken: 'unlock',
    ...owners,
    limit: { name: 'download', counts: 'handler' },
    query: v.object({ files: optional(selectedFiles), as: asOwner }),
    answers: {
      ...downloadAnswers,
      200: { ...downloadAnswers[200], contentType: 'application/zip' },
      206: { ...downloadAnswers[206], contentType: 'application/zip' },
    },
    errors: downloadErrors,
    load: (call) => findReader(deps, call),
    async handle({ context, query, ip }, reader) {
      const { share } = reader
      const selection = query.files ?? null
      const target = selection ? `archive:${selectionKey(selection)}` : 'archive'
      const counted = await admitReader(deps, context, reader, target)
      // There are as many choices as anybody likes to make, and each costs a walk over the files.
      const takeToken = () => requireToken(deps.layoutLimiter.take(limiterKey(ip)))
      const beforeBuild = selection ? takeToken : undefined
      return deps.downloads.answer(context, {
        content: await deps.publicShares.archive(share, selection, beforeBuild),
        renew: () => deps.publicShares.renewArchive(share, selection),
        containerId: share.containerId,
        contentType: 'application/zip',
        contentDisposition: archiveDisposition(share.name || 'files'),
        ...subjectOf(share),
        counted,
      })
    },
  })

export const downloadShareFile = (deps: PublicSharesOperationDeps) =>
  operation({
    id: 'downloadShareFile',
    method: 'GET',
    path: '/api/shares/{shareId}/files/{fileId}',
    summary: 'Download a file of a share',
    tag: 'Public shares',
    auth: 'none',
    linkToken: 'unlock',
    ...owners,
    limit: { name: 'download', counts: 'handler' },
    query: v.object({
      inline: inlineQuery,
      as: asOwner,
    }),
    answers: downloadAnswers,
    errors: downloadErrors,
    async load(call) {
      const reader = await findReader(deps, call)
      const found = await deps.downloads.findFile(
        reader.share.containerId,
        Number(call.params['fileId']),
      )
      if (!found) throw new CodedError('not_found')
      return { reader, ...found }
    },
    async handle({ context, query }, { reader, file, content }) {
      const { share } = reader
      const counted = await admitReader(deps, context, reader, `file:${file.id}`)
      return deps.downloads.answer(context, {
        content,
        renew: async () => {
          const again = await deps.downloads.findFile(share.containerId, file.id)
          if (!again) throw new CodedError('not_found')
          return again.content
        },
        containerId: share.containerId,
        contentType: file.mimeType,
        contentDisposition: fileDisposition(file, query.inline === '1'),
        ...subjectOf(share),
        counted,
      })
    },
  })

function listed({ publicShares }: PublicSharesOperationDeps, share: ShareRow): LongList<ShareFile> {
  return new LongList(mapPages(publicShares.listFiles(share), presentFile))
}

/** Somebody who may read bytes of a share: its owner, or a recipient who is counted. */
interface Reader {
  readonly share: ShareRow
  /** Null for the owner. */
  readonly opened: OpenedShare | null
}

/**
 * Who may read bytes: the owner by account, as long as the link works, and with `?as=owner` as long
 * as the files are there; anybody else as a recipient through the gate.
 */
async function findReader(
  deps: PublicSharesOperationDeps,
  { context, params, search }: LoadCall,
): Promise<Reader> {
  const name = params['shareId']!
  if (search.get('as') === 'owner') {
    const actor = await deps.credentials.authenticate(context, 'user', owners)
    return { share: await deps.publicShares.findForOwner(name, actor), opened: null }
  }
  const actor = await deps.credentials.recognise(context, owners.scope)
  const own = actor && (await deps.publicShares.findOwnOpen(name, actor))
  if (own) return { share: own, opened: null }
  const opened = await deps.publicShares.findForBytes(name, introduce(context))
  return { share: opened.share, opened }
}

/** @throws CodedError download_limit */
async function admitReader(
  deps: PublicSharesOperationDeps,
  context: RequestContext,
  reader: Reader,
  target: string,
): Promise<Delivery['counted']> {
  const { opened } = reader
  if (!opened) return null
  const resumes = /^\s*bytes=\s*0*[1-9]/i.test(context.header('range') ?? '')
  await deps.publicShares.checkLimit(opened, target, resumes)
  return countedFor(deps, context, opened, target)
}

function countedFor(
  deps: PublicSharesOperationDeps,
  context: RequestContext,
  { share, recipient }: OpenedShare,
  target: string,
): NonNullable<Delivery['counted']> {
  return {
    request: {
      share,
      target,
      leaseToken: recipient.leaseToken,
      ip: recipient.ip,
      userAgent: (context.header('user-agent') ?? '').slice(0, 300),
    },
    takeToken: () => requireToken(deps.downloadLimiter.take(limiterKey(recipient.ip))),
    leaseCookie: (token) =>
      serializeCookie(`lease_${share.id}`, token, {
        maxAgeSeconds: leaseLifeMs / 1000,
        secure: deps.https,
      }),
  }
}

/** A share that is gone, or has another password, is read no further. */
function subjectOf(share: ShareRow): { abortKey: string; withdrawalVersion: string } {
  return { abortKey: share.id, withdrawalVersion: share.passwordHash ?? '' }
}

/** Unlock and lease of the recipient; account credentials are not looked at. */
export function introduce(context: RequestContext): Introduce {
  return (shareId) => ({
    ip: context.ip,
    unlockTokens: linkTokens(context, `unlock_${shareId}`),
    leaseToken: parseCookies(context.header('cookie')).get(`lease_${shareId}`) ?? null,
  })
}
