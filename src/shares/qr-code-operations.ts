import { createHash } from 'node:crypto'
import { assetAnswers, operation } from '../http/operation.ts'
import { renderQrCode } from '../lib/qr-code.ts'
import { admitToView, linkedShareOf } from './downloads/admission.ts'
import { recipientOf } from './public-operations.ts'
import type { ShareDeps } from './deps.ts'

/** An image, so that the page behind a link can show it without a script. */
export const getPublicQrCode = (deps: ShareDeps) =>
  operation({
    id: 'getPublicQrCode',
    method: 'GET',
    path: '/api/public/shares/{shareId}/qr-code',
    summary: 'Get the link as a QR code, for anyone with the link',
    tag: 'Public shares',
    auth: 'none',
    linkToken: 'unlock',
    answers: assetAnswers({
      description: 'The image, without a fixed size',
      contentType: 'image/svg+xml',
    }),
    errors: ['expired', 'download_limit', 'rate_limited'],
    load: ({ context, params }) =>
      admitToView(deps.admission, params['shareId']!, recipientOf(deps, context)),
    async handle(_call, found) {
      const body = Buffer.from(await renderQrCode(deps.shareUrl(linkedShareOf(found))))
      const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
      return { kind: 'asset', contentType: 'image/svg+xml', body, etag }
    },
  })
