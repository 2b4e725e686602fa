import { editable, type Editable } from '../../lib/editable.ts'
import { formatBytes } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { Select } from '../../ui/field.tsx'
import { BytesInput } from './setting-fields.tsx'

/** The account's quota: the default, or its own. */
export function QuotaField(props: {
  /** Null for the default. */
  readonly quota: Editable<number | null>
  readonly standard: number
}) {
  const { quota, standard } = props
  const own = quota.value
  const set = (bytes: number | null) => (quota.value = bytes)
  const size = standard === 0 ? t('settings.unlimited') : formatBytes(standard)
  return (
    <>
      <Select
        label={t('users.space')}
        value={editable(own === null ? '' : 'own', (kind) => set(kind === '' ? null : standard))}
        options={[
          ['', t('users.quota_standard', { size })],
          ['own', t('users.quota_own')],
        ]}
      />
      {own !== null && <BytesInput label={t('users.quota_own')} value={editable(own, set)} />}
    </>
  )
}
