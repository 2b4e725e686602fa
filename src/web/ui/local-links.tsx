import { t } from '../lib/i18n.ts'
import { localBase } from '../lib/local-links.ts'
import { me } from '../lib/session.ts'

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
