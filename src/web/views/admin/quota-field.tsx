import { formatBytes } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { Select } from '../../ui/field.tsx'
import { BytesInput } from './setting-fields.tsx'

/** The account's quota: the default, or its own. */
export function QuotaField(props: {
  /** Null for the default. */
  readonly quota: number | null
  readonly standard: number
  readonly onQuota: (quota: number | null) => void
}) {
  const { quota, standard, onQuota } = props
  const size = standard === 0 ? t('settings.unlimited') : formatBytes(standard)
  return (
    <>
      <Select
        label={t('users.space')}
        value={quota === null ? '' : 'own'}
        onValue={(value) => onQuota(value === '' ? null : standard)}
        options={[
          ['', t('users.quota_standard', { size })],
          ['own', t('users.quota_own')],
        ]}
      />
      {quota !== null && (
        <BytesInput label={t('users.quota_own')} value={quota} onValue={onQuota} />
      )}
    </>
  )
}
