import { ApiError } from './api.ts'

/**
 * Why a cookie that was just set did not come back: the browser takes none here, or it keeps the
 * cookies of a service with an https address only on pages that are opened with https.
 */
export function cookieProblem(): ApiError {
  const isInsecure = navigator.cookieEnabled && location.protocol === 'http:'
  return new ApiError(0, { code: isInsecure ? 'cookie_insecure' : 'cookie_blocked' })
}
