/** Prefixes of events, which the API filters by. */
export const eventGroups = (
  'share. reverse_share. delivery. login. session. password. second_factor. passkey. identity. ' +
  'provider. api_token. account. contact. user. settings. setup. mail. audit. storage. verify.'
).split(' ')
