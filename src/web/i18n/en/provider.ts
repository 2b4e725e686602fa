/** Errors of sign-in providers, on the sign-in page and in the app. */
export const provider = {
  'error.provider_refused': 'The provider did not confirm who you are. Try again.',
  'error.provider_unreachable': 'The provider does not answer. Try again, or sign in another way.',
  'error.sign_in_expired':
    'This sign-in has expired or was started in another browser. Start again.',
} as const
