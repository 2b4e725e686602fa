import { api } from '../../lib/api.ts'
import { t } from '../../lib/i18n.ts'
import { Show, useLoad } from '../../ui/state.tsx'
import { DiskTest } from '../disk-test.tsx'
import { DiskSpace, type Status } from './status-facts.tsx'

/** Free space, space in use without need, and a test of the disk. */
export function StorageFacts() {
  const loaded = useLoad<Status>((signal) => api('GET', '/api/admin/status', { signal }), [])
  return (
    <section class="part">
      <h2>{t('status.disk')}</h2>
      <Show loaded={loaded}>
        {({ disk, counts: { drafts } }) => (
          <>
            <div>{disk && <DiskSpace disk={disk} />}</div>
            {drafts > 0 && (
              <p>
                {t('storage.drafts', { n: drafts })}{' '}
                <a href="/admin/shares?state=draft">{t('storage.list')}</a>
              </p>
            )}
          </>
        )}
      </Show>
      <DiskTest call={api} />
    </section>
  )
}
