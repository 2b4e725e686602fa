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
  'Second factor': 'Time-based codes in addition to the password.',
  Users: 'Accounts, for administrators.',
  Settings: 'What administrators can change while the service runs.',
  Administration: 'Status and tools for administrators.',
  Audit: 'The audit log, for administrators.',
  Pages: 'HTML for browsers.',
  Health: 'For monitoring.',
  Documentation: 'The documentation site, and this description.',
}
