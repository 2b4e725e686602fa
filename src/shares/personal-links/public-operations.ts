import * as v from 'valibot'
import { json } from '../../http/answer.ts'
import { jsonBody, ok, operation, type LoadCall } from '../../http/operation.ts'
import type { RequestContext } from '../../http/request-context.ts'
import { noted } from '../../http/schema.ts'
import { CodedError } from '../../lib/errors.ts'
import { maskAddress } from '../downloads/admission.ts'
import type { OpenedLink, Share } from '../sql.ts'
import { viewShare } from '../downloads/operations.ts'
import { codeDigits } from './codes.ts'
import type { ShareDeps } from '../deps.ts'

const errors = ['invalid_input', 'expired', 'download_limit', 'rate_limited'] as const

export const sendLinkCode = (deps: ShareDeps) =>
  operation({
    id: 'sendLinkCode',
    method: 'POST',
    path: '/api/shares/{shareId}/code',
    summary: 'Email a code to the person whose personal link demands one',
    tag: 'Public shares',
    auth: 'none',
    answers: ok(
      'Sent; it is valid for ten minutes, and replaces the last one',
      v.object({
        success: v.boolean(),
        address: noted(v.string(), 'Where it was sent, with the name hidden', 'a•••@example.org'),
      }),
    ),
    errors,
    load: (call) => findCodedLink(deps, call),
    async handle({ ip }, { share, link }) {
      await deps.linkCodes.send(share, link, ip)
      return json({ success: true, address: maskAddress(link.email) })
    },
  })

export const verifyLinkCode = (deps: ShareDeps) =>
  operation({
    id: 'verifyLinkCode',
    method: 'POST',
    path: '/api/shares/{shareId}/code/verify',
    summary: 'Open a personal link for a day with the code that was emailed',
    tag: 'Public shares',
    auth: 'none',
    body: jsonBody(
      v.object({
        code: noted(
          v.pipe(v.string(), v.regex(new RegExp(`^\\d{${codeDigits}}$`), 'must be six digits')),
          'Valid once, with five tries',
          '123456',
        ),
      }),
    ),
    answers: ok('Opened: use the cookie', v.object({ valid: v.boolean() }), ['Set-Cookie']),
    errors: [...errors, 'wrong_code'],
    load: (call) => findCodedLink(deps, call),
    async handle({ body, context, ip }, found) {
      const cookie = await acceptCode(deps, context, found, body.code, ip)
      return json({ valid: true }, { cookies: [cookie] })
    },
  })

/** A personal link that demands a code, and its share. */
export interface CodedLink {
  readonly share: Share
  readonly link: OpenedLink
}

/**
 * Accepts the code of a link, and returns the cookie that opens it.
 * @throws CodedError wrong_code
 */
export async function acceptCode(
  { linkCodes, linkCookies }: ShareDeps,
  context: RequestContext,
  { share, link }: CodedLink,
  code: string,
  ip: string,
): Promise<string> {
  await linkCodes.use(share, link, code, ip)
  return linkCookies.proofCookie(context.header('cookie'), link.id, share.passwordVersion)
}

/** @throws CodedError not_found for a link that demands no code; errors of `admitToView` */
export async function findCodedLink(deps: ShareDeps, call: LoadCall): Promise<CodedLink> {
  const { share, link } = await viewShare(deps, call)
  const demandsCode = share.audience === 'named' && share.recipientProof === 'code'
  if (!link || !demandsCode) throw new CodedError('not_found')
  return { share, link }
}
