import { t } from '../../lib/i18n.ts'
import type { ViewProps } from '../../lib/routes.ts'
import { Heading } from '../../ui/heading.tsx'
import { isPhone, Parts, usePart } from '../../ui/parts.tsx'
import { AllShares } from './all-shares.tsx'
import { AuditLog } from './audit-log.tsx'
import { CheckUpView } from './check-up.tsx'
import { OverviewView } from './overview.tsx'
import { Providers } from './providers.tsx'
import { SettingsView } from './settings.tsx'
import { Users } from './users.tsx'

const views = {
  overview: [OverviewView, 'admin.tab.overview'],
  users: [Users, 'admin.tab.users'],
  settings: [SettingsView, 'admin.tab.settings'],
  providers: [Providers, 'admin.tab.providers'],
  shares: [AllShares, 'admin.tab.shares'],
  audit: [AuditLog, 'admin.tab.audit'],
  doctor: [CheckUpView, 'admin.tab.doctor'],
} as const
const names = Object.keys(views) as (keyof typeof views)[]

export function Admin({ params }: ViewProps) {
  const current = usePart('/admin', names, params['view'])
  const View = current && views[current][0]
  const title = t('admin.title')
  return (
    <div class="card stack">
      {!View && <Heading title={title} />}
      {/* A section of the settings leads back to these. */}
      {!(isPhone.value && params['section']) && (
        <Parts
          {...{ title, path: '/admin', names, current }}
          textOf={(name) => t(views[name][1])}
        />
      )}
      {View && <View key={current} params={params} />}
    </div>
  )
}
