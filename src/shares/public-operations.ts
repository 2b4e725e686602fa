import * as v from 'valibot'
import { bearerToken } from '../accounts/sign-in/credentials.ts'
import { unlockLifeMs } from './link-password.ts'
import { leaseTokenOf } from '../bytes/send/counting.ts'
import { archiveTypes, formatQuery } from '../bytes/send/archive-formats.ts'
import type { WantedDownload } from '../bytes/send/downloads.ts'
import { inlineQuery, presentationOf } from '../bytes/send/inline.ts'
import { archiveTarget, fileTarget, type WantedArchive } from '../bytes/send/targets.ts'
import {
  emptyFoldersSchema,
  fileSelection,
  presentEmptyFolders,
  presentFile,
  shareFileSchema,
} from '../bytes/file-schemas.ts'
import { json } from '../http/answer.ts'
import { limiterKey, requesterAt } from '../http/client-ip.ts'
import type { RequestContext } from '../http/request-context.ts'
import { LongList } from '../http/json-stream.ts'
import { jsonBody, operation, type LoadCall } from '../http/operation.ts'
import { requireToken } from '../http/run.ts'
import { noted, optional, text } from '../http/schema.ts'
import { mapPages } from '../lib/pages.ts'
import {
  admitDownload,
  admitToView,
  linkNameOf,
  lockedLinkOf,
  requireProof,
  requireWithinLimit,
  type Admitted,
  type Recipient,
} from './admission.ts'
import { downloadsLeft, withdrawalVersionOf } from './access.ts'
import { answerArchive } from './archive-operations.ts'
import { progressOf } from './progress.ts'
import { publicShareSchema } from './schemas.ts'
import type { Share } from './sql.ts'
import type { ShareDeps } from './deps.ts'

export const asOwner = noted(
  optional(v.literal('owner')),
  'Answer only the owner, even after expiry while the files exist. Downloads by the owner ' +
    'are never counted and need no password, with or without this field',
)
/** Ids in a request for some files of an archive. */
const selectedMax = 100_000
const selectedFiles = fileSelection('Ids of the requested files; all if absent', selectedMax)
/** The scope that `?as=owner` requires of an API token. */
export const owners = { scope: 'read' } as const

export const downloadErrors = [
  'unauthorized',
  'insufficient_scope',
  'second_factor_required',
  'proof_required',
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
export const downloadAnswers = {
  200: { description: 'The whole file', contentType: '*/*', headers: ['Set-Cookie'] },
  206: { description: 'The requested range', contentType: '*/*', headers: ['Set-Cookie'] },
  304: { description: 'Not modified' },
} as const

export const getPublicShare = (deps: ShareDeps) =>
  operation({
    id: 'getPublicShare',
    method: 'GET',
    path: '/api/public/shares/{shareId}',
    summary: 'Get the share behind a link; only the name of a protected share until it is unlocked',
    tag: 'Public shares',
    auth: 'none',
    linkToken: 'unlock',
    query: v.object({
      list: noted(optional(v.literal('none')), 'Leaves `files` and `empty_folders` out'),
    }),
    answers: { 200: { description: 'The share', schema: publicShareSchema } },
    errors: ['invalid_input', 'not_found', 'expired', 'download_limit', 'rate_limited'],
    load: ({ context, params }) =>
      admitToView(deps.admission, params['shareId']!, recipientOf(deps, context)),
    async handle({ query }, found) {
      const { share, isUnlocked } = found
      const isComplete = share.state === 'complete'
      const received = await deps.publicShares.received(found)
      const isListed = isUnlocked && isComplete && query.list !== 'none'
      return json({
        name: share.name,
        message: isUnlocked ? share.message : '',
        ...(found.missing && { proof: found.missing }),
        protected: share.passwordHash !== null,
        ...(isListed ? await listed(deps, share) : { files: [] }),
        ownerName: share.ownerName,
        status: isComplete ? 'complete' : 'uploading',
        progress: progressOf(share, received),
        receiving: received?.isGrowing ?? false,
        last_received_at: received?.lastAt?.toISOString() ?? null,
        downloads_left: downloadsLeft(share),
      })
    },
  })

export const verifySharePassword = (deps: ShareDeps) =>
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
          empty_folders: emptyFoldersSchema,
          message: noted(v.string(), 'Message to the recipients'),
          accessToken: noted(v.string(), 'Bearer token of this share, valid for an hour'),
        }),
        headers: ['Set-Cookie'],
      },
    },
    errors: [
      'invalid_input',
      'proof_required',
      'wrong_password',
      'not_found',
      'expired',
      'download_limit',
      'rate_limited',
      'cross_site',
    ],
    async load({ context, params }) {
      const recipient = recipientOf(deps, context)
      const visible = await admitToView(deps.admission, params['shareId']!, recipient)
      requireProof(visible)
      return visible
    },
    async handle({ body, context, ip }, found) {
      const { share } = found
      const unlocked = await deps.linkAttempts.during({ kind: 'share', ...share }, ip, () =>
        deps.admission.unlocking.unlock(lockedLinkOf(found), body.password, ip),
      )
      const { accessToken, version } = unlocked
      const { linkCookies } = deps.admission
      const cookie = linkCookies.unlockCookie(
        context.header('cookie'),
        linkNameOf(found),
        version,
        unlockLifeMs,
      )
      const { message } = share
      const lists = share.state === 'complete' ? await listed(deps, share) : { files: [] }
      return json({ valid: true, ...lists, message, accessToken }, { cookies: [cookie] })
    },
  })

export const downloadShareZip = (deps: ShareDeps) =>
  operation({
    id: 'downloadShareZip',
    method: 'GET',
    path: '/api/shares/{shareId}/download',
    summary: 'Download all or selected files of a share as a resumable ZIP or tar archive',
    tag: 'Public shares',
    auth: 'none',
    linkToken: 'unlock',
    ...owners,
    limit: { name: 'download', counts: 'handler' },
    query: v.object({ files: optional(selectedFiles), format: formatQuery, as: asOwner }),
    answers: {
      ...downloadAnswers,
      200: { ...downloadAnswers[200], ...archiveTypes },
      206: { ...downloadAnswers[206], ...archiveTypes },
    },
    errors: downloadErrors,
    load: (call) => admit(deps, call, () => archiveTarget(wantedIn(call.search))),
    async handle({ context, query, ip }, admitted) {
      const { share } = admitted
      const { format } = query
      const wanted = { format, selection: query.files ?? null }
      const terms = termsOf(deps, context, admitted, archiveTarget(wanted))
      const requester = requesterAt(ip)
      const beforeBuild = () => {
        if (wanted.selection) deps.layoutLimits.take(requester, wanted.selection.length)
      }
      const asking = { requester, signal: context.signal, beforeBuild }
      return answerArchive(deps, context, { share, terms, wanted, asking })
    },
  })

export const downloadShareFile = (deps: ShareDeps) =>
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
      const fileId = Number(call.params['fileId'])
      const isPreview = call.search.get('inline') === '1'
      const admitted = await admit(deps, call, () => fileTarget(fileId, isPreview))
      const found = await deps.publicShares.findFile(admitted.share, fileId)
      return { admitted, found, isPreview }
    },
    async handle({ context }, { admitted, found, isPreview }) {
      const { file } = found
      return deps.downloads.answer(context, {
        ...termsOf(deps, context, admitted, fileTarget(file.id, isPreview)),
        content: found.content,
        ...presentationOf(file, isPreview),
      })
    },
  })

/** What is read before the query is checked: that check refuses what is invalid. */
function wantedIn(search: URLSearchParams): WantedArchive {
  const chosen = v.safeParse(selectedFiles, search.getAll('files').at(-1))
  const format = search.getAll('format').at(-1) === 'tar' ? 'tar' : 'zip'
  return { format, selection: chosen.success ? chosen.output : null }
}

async function listed({ publicShares }: ShareDeps, share: Share) {
  const { files, emptyFolders } = await publicShares.list(share)
  return {
    files: new LongList(mapPages(files, presentFile)),
    ...presentEmptyFolders(emptyFolders),
  }
}

/** @throws errors of `admitDownload`, and of authentication with `?as=owner` */
export async function admit(
  { admission, credentials }: ShareDeps,
  { context, params, search }: LoadCall,
  targetOf: () => string,
): Promise<Admitted> {
  const asOwner = search.get('as') === 'owner'
  const account = asOwner
    ? await credentials.authenticate(context, 'user', owners)
    : await credentials.recognise(context, owners.scope)
  const resumes = /^\s*bytes=\s*0*[1-9]/i.test(context.header('range') ?? '')
  return admitDownload(admission, {
    name: params['shareId']!,
    recipient: recipientOf({ admission, credentials }, context),
    account,
    asOwner,
    resumed: resumes ? targetOf : null,
  })
}

/**
 * Decides who pays for a download, and aborts it when the share is deleted or gets another
 * password.
 * @throws CodedError download_limit
 */
export function termsOf(
  deps: ShareDeps,
  context: RequestContext,
  admitted: Admitted,
  target: string,
): Pick<WantedDownload, 'abortKey' | 'withdrawalVersion' | 'counted' | 'readingKey'> {
  requireWithinLimit(admitted)
  const { share } = admitted
  const link = admitted.kind === 'owner' ? null : admitted.link
  const linkId = link?.id ?? null
  const readingKey = `${share.ownerId} ${share.id} ${target}`
  const subject = {
    abortKey: share.id,
    withdrawalVersion: withdrawalVersionOf(share, linkId),
    readingKey,
  }
  if (admitted.kind === 'owner') return { ...subject, counted: null }
  const { linkCookies } = deps.admission
  const downloader =
    linkCookies.downloaderOf(context.header('cookie')) ?? linkCookies.newDownloader()
  const newLeaseToken = leaseTokenOf(downloader, linkNameOf({ share, link }))
  const leaseToken = admitted.hasLease ? newLeaseToken : null
  const { ip } = context
  const userAgent = (context.header('user-agent') ?? '').slice(0, 300)
  const counted = {
    request: {
      share: { ...share, linkId },
      target,
      leaseToken,
      newLeaseToken,
      ip,
      userAgent,
    },
    takeToken: () => requireToken(deps.downloadLimiter.take(limiterKey(ip))),
    leaseCookie: () => linkCookies.downloaderCookie(downloader),
  }
  return { ...subject, counted }
}

/**
 * Credentials of a request for a link; those of accounts count only where a link demands one.
 * @param isPage people come to pages from other sites, which cannot read them
 */
export function recipientOf(
  { admission, credentials }: Pick<ShareDeps, 'admission' | 'credentials'>,
  context: RequestContext,
  isPage = false,
): Recipient {
  const { linkCookies } = admission
  const cookies = context.header('cookie')
  return {
    ip: context.ip,
    unlockProofs: (name) => ({
      token: bearerToken(context),
      version: linkCookies.unlockedVersion(cookies, name),
    }),
    downloader: linkCookies.downloaderOf(cookies),
    hasProof: (linkId, version) => linkCookies.hasProof(cookies, linkId, version),
    account: () => credentials.recognise(context, 'read', isPage),
    isLook: context.request.method === 'HEAD',
  }
}
