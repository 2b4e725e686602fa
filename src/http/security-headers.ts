/** Headers that tell browsers what they may do with an answer. Frozen: spread to add to them. */
export type SecurityHeaders = Readonly<Record<string, string>>

const everywhere = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

// A year, for this host only: other services below the operator's domain are not affected.
const strictTransport = { 'Strict-Transport-Security': 'max-age=31536000' }

/** For JSON answers. */
export const apiHeaders = variants({
  ...everywhere,
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
})

/** For our own HTML pages, without any script: see `runsScripts`. */
export const pageHeaders = variants(
  {
    ...everywhere,
    // A page shows unlocked content, or the account of its user.
    'Cache-Control': 'no-store',
    'Content-Security-Policy': [
      "default-src 'none'",
      "style-src 'self'",
      "img-src 'self' data:",
      // Blobs are films whose frames become thumbnails.
      "media-src 'self' blob:",
      // Only PDF files allow it: see pdfPolicy. Pages and API answers forbid frames.
      "frame-src 'self'",
      "connect-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; '),
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'X-Frame-Options': 'DENY',
  },
  {
    // On plain http browsers ignore it, with a warning on the console.
    'Cross-Origin-Opener-Policy': 'same-origin',
  },
)

/** For content that users have sent: browsers load and run nothing in it. */
export const sandboxPolicy = "sandbox; default-src 'none'; frame-ancestors 'none'"

/**
 * For uploaded bytes, and our own files that are no pages: a browser that opens them runs nothing
 * with this site's rights. The sender decides about caching.
 */
export const downloadHeaders = variants({
  ...everywhere,
  'Content-Security-Policy': sandboxPolicy,
})

/**
 * For files that are sent as PDF, with that type and `nosniff`. No browser reads them as HTML, and
 * code in a PDF runs in the viewer, without the rights of this origin. Safari's viewer stays empty
 * in a sandbox. Chromium's is an `<embed>` in a document with inline style. Only our own pages may
 * frame these files.
 */
export const pdfPolicy = [
  "default-src 'none'",
  "object-src 'self'",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

/** For everything on the documentation site. The sender decides about caching. */
export const docsHeaders = variants({
  ...everywhere,
  // Read-only and public: pages of any site may read it.
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'X-Request-Id',
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'X-Frame-Options': 'DENY',
})

/** The address of a worker is a sink of Trusted Types: src/web/views/send/shared.ts. */
const installable = [
  "trusted-types 'none'",
  "trusted-types share-target; manifest-src 'self'; worker-src 'self'",
] as const

/**
 * Headers of a page whose scripts carry this nonce, which also covers their imports. Uploaded
 * files have the page's origin, so `'self'` would let them run.
 * @param isInstallable allows the manifest, and registering the worker that takes shared files:
 *   uploaded files are refused as either (headers.ts)
 */
export function runsScripts(
  headers: SecurityHeaders,
  nonce: string,
  isInstallable = false,
): SecurityHeaders {
  const policy = headers['Content-Security-Policy']!
  const rules = isInstallable ? policy.replace(...installable) : policy
  return { ...headers, 'Content-Security-Policy': `${rules}; script-src 'nonce-${nonce}'` }
}

function variants(
  headers: Record<string, string>,
  onlyHttps: Record<string, string> = {},
): (isHttps: boolean) => SecurityHeaders {
  const http = Object.freeze(headers)
  const https = Object.freeze({ ...headers, ...onlyHttps, ...strictTransport })
  return (isHttps) => (isHttps ? https : http)
}
