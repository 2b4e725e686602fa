/** Texts of passkeys, on the sign-in page and in the app. */
export const passkey = {
  'error.https_required': 'Passkeys work only with https, at the address of this service.',
  'error.wrong_passkey': 'The passkey was not accepted. Try again, or use your password.',
  'passkey.use': 'Use a passkey',
} as const
