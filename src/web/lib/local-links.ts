import { readPageData } from './page-data.ts'

const ofThisMachine = /^(localhost|.*\.localhost|127\..*|\[::1\]|0\.0\.0\.0)$/

/**
 * The address that links begin with (BASE_URL), if it leads everyone to their own machine although
 * this page was opened by another name; else null.
 */
export function localBase(): string | null {
  const { baseUrl } = readPageData<{ baseUrl: string }>()
  if (ofThisMachine.test(location.hostname)) return null
  return ofThisMachine.test(new URL(baseUrl).hostname) ? baseUrl : null
}
