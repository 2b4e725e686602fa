import * as v from 'valibot'
import { bearerToken } from '../../accounts/sign-in/credentials.ts'
import { fileSelection } from '../../bytes/file-schemas.ts'
import { answersWith, archiveTypes, formatQuery } from '../../bytes/send/content.ts'
import { archivePresentation, inlineQuery, presentationOf } from '../../bytes/send/downloads.ts'
import type { WantedDownload } from '../../bytes/send/downloads.ts'
import { limiterKey, requesterAt } from '../../http/client-ip.ts'
import { operation, type LoadCall } from '../../http/operation.ts'
import type { RequestContext } from '../../http/request-context.ts'
import { requireToken } from '../../http/run.ts'
import { noted, optional } from '../../http/schema.ts'
import { randomToken } from '../../lib/random-id.ts'
import { withdrawalVersionOf } from '../access.ts'
import type { ShareDeps } from '../deps.ts'
import { opens } from '../schemas.ts'
import { admitDownload, admitToView, linkNameOf, requireWithinLimit } from './admission.ts'
import type { Admitted, Recipient, VisibleShare } from './admission.ts'
import { archiveTarget, fileTarget, leaseTokenOf, linkTarget } from './counting.ts'
import type { WantedArchive } from './counting.ts'

const asOwner = noted(
  optional(v.literal('owner')),
  'Answer only the owner, even after expiry while the files exist. Downloads by the owner ' +
    'are never counted and need no password, with or without this field',
)
/** Ids in a request for some files of an archive. */
const selectedMax = 100_000
const selectedFiles = fileSelection('Ids of the requested files; all if absent', selectedMax)
/** The scope that `?as=owner` requires of an API token. */
const owners = { scope: 'read' } as const

const download = {
  ...opens,
  ...owners,
  limit: { name: 'download', counts: 'handler' },
  errors: [
    'unauthorized',
    'insufficient_scope',
    'second_factor_required',
    'proof_required',
    'password_required',
    'not_a_script',
    'expired',
    'file_damaged',
    'download_limit',
    'range_not_satisfiable',
    'precondition_failed',
  ],
} as const
const cookies = { headers: ['Set-Cookie'] } as const
const fileAnswers = answersWith('The whole file', { contentType: '*/*', ...cookies })

export const downloadShareZip = (deps: ShareDeps) =>
  operation({
    id: 'downloadShareZip',
    method: 'GET',
    path: '/api/shares/{shareId}/download',
    summary: 'Download all or selected files of a share as a resumable ZIP or tar archive',
    ...download,
    query: v.object({ files: optional(selectedFiles), format: formatQuery, as: asOwner }),
    answers: answersWith('The whole file', { ...archiveTypes, ...cookies }),
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
      const content = await deps.publicShares.archive(share, wanted, asking)
      const shown = archivePresentation(share.name, format)
      return deps.downloads.answer(context, { ...terms, content, ...shown })
    },
  })

export const downloadShareFile = (deps: ShareDeps) =>
  operation({
    id: 'downloadShareFile',
    method: 'GET',
    path: '/api/shares/{shareId}/files/{fileId}',
    summary: 'Download a file of a share',
    ...download,
    query: v.object({ inline: inlineQuery, as: asOwner }),
    answers: fileAnswers,
    async load(call) {
      const fileId = Number(call.params['fileId'])
      const isPreview = call.search.get('inline') === '1'
      const admitted = await admit(deps, call, () => fileTarget(fileId, isPreview))
      const found = await deps.publicShares.findFile(admitted.share, fileId)
      return { admitted, found, isPreview }
    },
    handle: async ({ context }, { admitted, found: { file, content }, isPreview }) =>
      deps.downloads.answer(context, {
        ...termsOf(deps, context, admitted, fileTarget(file.id, isPreview)),
        content,
        ...presentationOf(file, isPreview),
      }),
  })

const wholeZip: WantedArchive = { format: 'zip', selection: null }

/** For people without a browser: `curl -OJ <link>/download`. */
export const downloadLink = (deps: ShareDeps) =>
  operation({
    id: 'downloadLink',
    method: 'GET',
    path: '/s/{shareId}/download',
    summary: 'Download what is behind a link: the only file of a share, or the archive',
    ...download,
    query: v.object({ as: asOwner }),
    answers: fileAnswers,
    async load(call) {
      const admitted = await admit(deps, call, () => linkTarget)
      return { admitted, only: await deps.publicShares.findOnlyFile(admitted.share) }
    },
    async handle({ context, ip }, { admitted, only }) {
      const { share } = admitted
      const terms = termsOf(deps, context, admitted, linkTarget)
      const asking = { requester: requesterAt(ip), signal: context.signal }
      const content = only?.content ?? (await deps.publicShares.archive(share, wholeZip, asking))
      const shown = only ? presentationOf(only.file, false) : archivePresentation(share.name, 'zip')
      return deps.downloads.answer(context, { ...terms, content, ...shown })
    },
  })

/** What is read before the query is checked: that check refuses what is invalid. */
function wantedIn(search: URLSearchParams): WantedArchive {
  const chosen = v.safeParse(selectedFiles, search.getAll('files').at(-1))
  const format = search.getAll('format').at(-1) === 'tar' ? 'tar' : 'zip'
  return { format, selection: chosen.success ? chosen.output : null }
}

/** What a download costs, and what withdraws it. */
type Terms = Pick<WantedDownload, 'abortKey' | 'withdrawalVersion' | 'counted' | 'readingKey'>

/** @throws errors of `admitDownload`, and of authentication with `?as=owner` */
async function admit(
  deps: ShareDeps,
  { context, params, search }: LoadCall,
  targetOf: () => string,
): Promise<Admitted> {
  const { credentials } = deps
  const asOwner = search.get('as') === 'owner'
  const account = asOwner
    ? await credentials.authenticate(context, 'user', owners)
    : await credentials.recognise(context, owners.scope)
  const resumes = /^\s*bytes=\s*0*[1-9]/i.test(context.header('range') ?? '')
  return admitDownload(deps, {
    name: params['shareId']!,
    recipient: recipientOf(deps, context),
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
function termsOf(
  deps: ShareDeps,
  context: RequestContext,
  admitted: Admitted,
  target: string,
): Terms {
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
  const { linkCookies } = deps
  const known = linkCookies.downloaderOf(context.header('cookie'))
  const downloader = known ?? randomToken()
  const newLeaseToken = leaseTokenOf(downloader, linkNameOf({ share, link }))
  // Also where the gate has found no lease: another request may have opened it since.
  const leaseToken = known && newLeaseToken
  const { ip } = context
  const userAgent = (context.header('user-agent') ?? '').slice(0, 300)
  const counted = deps.counting.of(
    { share: { ...share, linkId }, target, leaseToken, newLeaseToken, ip, userAgent },
    () => requireToken(deps.downloadLimiter.take(limiterKey(ip))),
    () => linkCookies.downloaderCookie(downloader),
  )
  return { ...subject, counted }
}

/** The share behind the link of a request, before it is unlocked. @throws as `admitToView` */
export function viewShare(
  deps: ShareDeps,
  { context, params }: LoadCall,
  isPage = false,
): Promise<VisibleShare> {
  return admitToView(deps, params['shareId']!, recipientOf(deps, context, isPage))
}

/**
 * Credentials of a request for a link; those of accounts count only where a link demands one.
 * @param isPage people come to pages from other sites, which cannot read them
 */
export function recipientOf(
  { linkCookies, credentials }: ShareDeps,
  context: RequestContext,
  isPage = false,
): Recipient {
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
