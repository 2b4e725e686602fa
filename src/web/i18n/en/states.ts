/** States of a share, in every list. */
export const states = {
  'ready.no_expiry': 'never expires',
  'shares.expires': 'expires',
  'shares.state.active': 'Active',
  'shares.state.ended': 'Ended',
  'shares.state.ending': 'Ends in a moment',
  'shares.state.interrupted': 'Unfinished',
  'shares.state.today': 'Expires today',
  'shares.state.uploaded': 'Ready, no link yet',
  'shares.state.uploading': 'Uploading',
  'shares.state.used_up': 'Limit reached',
} as const
