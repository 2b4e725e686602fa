export const info = {
  title: 'Transfer service',
  description: `A self-hosted service for sending files: the product's API, and that of its
documentation site.

**Requests.** Bodies are JSON unless an operation says otherwise; no body means \`{}\`. Unknown
fields are ignored, and null in an optional field means absent. Lengths of strings are counted in
UTF-16 units. One trailing slash is the same resource.

**Responses.** Sizes are bytes. Timestamps are ISO 8601 in UTC. Text that was not given is \`""\`,
and 0 means no limit. New fields can be added at any time: ignore unknown fields.

**Errors.** The product answers \`{ "error", "code" }\`: show \`error\` to people, and use \`code\`
in programs. The documentation site answers RFC 9457 problems. After 429 and 503, wait for the
seconds in \`Retry-After\`.

**Request ids.** Every response of an operation has a header \`X-Request-Id\`. The log of the
service has the same id: quote it when you report a problem.

**Methods.** Every GET also answers HEAD. OPTIONS returns 204 with \`Allow\`; an unsupported method
returns 405 with \`Allow\`.

**Order of checks.** Rate limit, 401, 403, 404, state (409, 410), query and body (400), conflict
(409), limits (413, 507).`,
} as const

/** Descriptions of the API's tags. A new tag needs one here. */
export const tags: Readonly<Record<string, string>> = {
  Authentication: 'Sign in and out, set up the first account, reset passwords.',
  Shares: 'Send files: start a share, upload chunks, finalize it.',
  'Public shares': 'What anyone with a link can do: view, unlock, download.',
  'Reverse shares': 'Links through which guests send files, for their owners.',
  Guests: 'Send files to a reverse share, without an account.',
  Account: "The caller's account and sessions.",
  'API tokens': 'Bearer tokens for programs.',
  Passkeys: 'Sign in with a passkey (WebAuthn), and manage those of the account.',
  'Sign-in providers': 'Sign in with OpenID Connect, and manage its providers.',
  'Second factor': 'Time-based codes in addition to the password.',
  Users: 'Accounts, for administrators.',
  Settings: 'What administrators can change while the service runs.',
  Administration: 'Status and tools for administrators.',
  Audit: 'The audit log, for administrators.',
  Pages: 'HTML for browsers.',
  Health: 'For monitoring.',
  Documentation: 'The documentation site, and this description.',
}
