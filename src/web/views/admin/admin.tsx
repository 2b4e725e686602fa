import { t } from '../../lib/i18n.ts'
import type { ViewProps } from '../../lib/routes.ts'
import { AllShares } from './all-shares.tsx'
import { AuditLog } from './audit-log.tsx'
import { CheckUpView } from './check-up.tsx'
import { OverviewView } from './overview.tsx'
import { Providers } from './providers.tsx'
import { SettingsView } from './settings.tsx'
import { Users } from './users.tsx'

const views = {
  overview: OverviewView,
  users: Users,
  settings: SettingsView,
  providers: Providers,
  shares: AllShares,
  audit: AuditLog,
  doctor: CheckUpView,
} as const
const names = Object.keys(views) as (keyof typeof views)[]

export function Admin({ params }: ViewProps) {
  const current = names.find((name) => name === params['view']) ?? 'overview'
  const View = views[current]
  return (
    <div class="card stack">
      <nav class="tabs" aria-label={t('admin.title')}>
        {names.map((name) => (
          <a
            key={name}
            href={`/admin/${name}`}
            aria-current={name === current ? 'page' : undefined}
          >
            {t(`admin.tab.${name}`)}
          </a>
        ))}
      </nav>
      <View key={current} params={params} />
    </div>
  )
}
