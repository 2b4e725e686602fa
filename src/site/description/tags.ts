/** Descriptions of the API's tags. A new tag needs one here. */
export const tags: Readonly<Record<string, string>> = {
  Authentication: 'Logging in and out, the first account, new passwords.',
  Shares: 'Sending files: start a share, send chunks, finalize it.',
  'Public shares': 'What whoever has a link may do: look, unlock, download.',
  'Reverse shares': 'Links at which guests deliver files, for their owner.',
  Guests: 'Delivering files to a reverse share, without an account.',
  Account: "The caller's own account and logins.",
  'API tokens': 'Bearer credentials for programs.',
  'Second factor': 'Time-based codes beside the password.',
  Users: 'Accounts, for administrators.',
  Settings: 'What administrators can change while the service runs.',
  Administration: 'What administrators see of the running service.',
  Audit: 'Who did what, for administrators.',
  Pages: 'HTML for browsers.',
  Health: 'For monitoring.',
  Documentation: 'The documentation site, and this description.',
}
