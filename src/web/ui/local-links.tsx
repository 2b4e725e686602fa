import { t } from '../lib/i18n.ts'
import { me } from '../lib/session.ts'
import { readPageData } from '../lib/page-data.ts'

/** Warns administrators that links with `localhost` do not work on other machines. */
export function LocalLinks() {
  const base = localBase()
  if (base === null || !me.value?.is_admin) return null
  return (
    <div class="problem mild" role="alert">
      <p>
        {t('links.local', { base })} {t('links.local_advice', { address: location.origin })}
      </p>
    </div>
  )
}

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
