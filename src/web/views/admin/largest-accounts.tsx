import { formatBytes, formatPercent } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import type { Usage } from './overview-data.ts'

/** The accounts that use most, with their part of everything stored. */
export function LargestAccounts(props: {
  readonly accounts: readonly Usage[]
  readonly storedBytes: number
}) {
  const { accounts } = props
  // An account may have grown between the two answers.
  const all = Math.max(props.storedBytes, accounts[0]?.used_bytes ?? 0)
  return (
    <section class="part">
      <h2>{t('overview.largest')}</h2>
      {accounts.length === 0 && <p class="hint">{t('overview.nothing_stored')}</p>}
      <ol class="bars">
        {accounts.map(({ id, email, name, used_bytes: used }) => (
          <li key={id}>
            <a href={`/admin/users?q=${encodeURIComponent(email)}`} title={email}>
              <bdi>{name || email}</bdi>
            </a>
            <span class="count">
              {formatBytes(used)} <span class="faint">{sayPart(used / all)}</span>
            </span>
            <progress aria-hidden="true" value={used} max={all} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function sayPart(part: number): string {
  return part < 0.01 ? `< ${formatPercent(0.01)}` : formatPercent(part)
}
