import { t, type TextKey } from '../../lib/i18n.ts'
import { place } from '../../lib/router.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Heading } from '../../ui/heading.tsx'
import { Empty, Show } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { FilterField, FilterSelect } from './filter-fields.tsx'
import { Filters, usePages } from './paged.tsx'

interface AuditRow {
  readonly id: number
  readonly at: string
  readonly actor_kind: 'user' | 'guest' | 'anonymous' | 'operator' | 'system'
  readonly actor_email: string
  readonly act: string
  readonly target_id: string
  readonly target_name: string
  readonly ip: string
  readonly details: Readonly<Record<string, unknown>>
}

/** Begins of acts, as the API filters by them. */
const groups = [
  'share.',
  'reverse_share.',
  'delivery.',
  'login.',
  'session.',
  'password.',
  'second_factor.',
  'api_token.',
  'account.',
  'contact.',
  'user.',
  'settings.',
  'mail.',
] as const

export function AuditLog() {
  const { search } = place.value
  const pages = usePages<AuditRow>('/api/audit')
  return (
    <>
      <Heading title={t('admin.audit')} />
      <Filters>
        <FilterField name="actor" label={t('audit.actor')} />
        <FilterSelect
          name="act"
          label={t('audit.act')}
          options={groups.map((group) => [group, t(`acts.${group}`)])}
        />
        <FilterField name="target" label={t('audit.target')} />
        <FilterField name="ip" label={t('audit.ip')} />
        <FilterField name="since" type="date" label={t('audit.since')} />
        <FilterField name="until" type="date" label={t('audit.until')} />
      </Filters>
      <div>
        <ButtonLink href={`/api/audit.csv${search}`} icon="download" download>
          {t('admin.csv')}
        </ButtonLink>
      </div>
      <Show loaded={pages}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty text={t('admin.nothing_fits')} />
          ) : (
            <table>
              <thead>
                <tr>
                  <th scope="col">{t('audit.what')}</th>
                  <th scope="col">{t('audit.when')}</th>
                  <th scope="col" class="wide-only">
                    {t('audit.from')}
                  </th>
                </tr>
              </thead>
              <tbody>
                {items.map((row) => (
                  <tr key={row.id}>
                    <td>
                      <details>
                        <summary>{sayRow(row)}</summary>
                        <pre>{JSON.stringify(row, null, 2)}</pre>
                      </details>
                    </td>
                    <td>
                      <Time at={row.at} />
                    </td>
                    <td class="wide-only">{row.ip}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Show>
      {pages.more}
    </>
  )
}

/** `ada@example.org deleted the share Holiday`; of an act without a sentence, its name. */
function sayRow(row: AuditRow): string {
  const { actor_kind: kind, act, details } = row
  const key = `act.${act}`
  const who = kind === 'user' ? row.actor_email : t(`audit.${kind}`)
  const what = row.target_name || row.target_id
  const keys = Array.isArray(details['keys']) ? details['keys'].join(', ') : ''
  const text = t(key as TextKey, { who, what, keys })
  return text === key ? `${who}: ${act} ${what}` : text
}
