import { useEffect } from 'preact/hooks'
import { api } from '../../lib/api.ts'
import { browserClock } from '../../lib/clock.ts'
import { formatDay, formatTime } from '../../lib/format.ts'
import { hasText, t, type TextKey } from '../../lib/i18n.ts'
import { place } from '../../lib/router.ts'
import { useSignal } from '../../lib/signals.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Check } from '../../ui/field.tsx'
import { HeadingRow } from '../../ui/heading.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Empty, Show } from '../../ui/state.tsx'
import { usePages } from '../../ui/listing.tsx'
import { Listing, ListRow } from '../../ui/table.tsx'
import { eventGroups } from './event-groups.ts'
import { FilterField, FilterSelect, Filters } from './paged.tsx'

interface AuditRow {
  readonly id: number
  readonly at: string
  readonly actor_kind: 'user' | 'guest' | 'anonymous' | 'operator' | 'system'
  readonly actor_email: string
  readonly event: string
  readonly target_id: string
  readonly target_name: string
  readonly ip: string
  readonly details: Readonly<Record<string, unknown>>
}

const followMs = 5000
const freshMax = 100

export function AuditLog() {
  const { search } = place.value
  const pages = usePages<AuditRow>('/api/audit')
  const isFollowed = useSignal(false)
  const isOpen = useSignal(search !== '')
  const { data } = pages
  const fresh = useFresh(isFollowed.value, search, data && data.items)
  const showFresh = () => {
    // With this many new rows, others may be missing between them and the list.
    if (!data || fresh.length === freshMax) return pages.reload()
    pages.set({ ...data, items: [...fresh, ...data.items] })
  }
  return (
    <>
      <HeadingRow title={t('admin.tab.audit')}>
        <Menu label={t('common.download')}>
          {(['csv', 'json'] as const).map((form) => (
            <ButtonLink key={form} kind="quiet" href={`/api/audit.${form}${search}`} download>
              {t(form === 'csv' ? 'activity.csv' : 'admin.as.json')}
            </ButtonLink>
          ))}
        </Menu>
      </HeadingRow>
      <div class="row spread">
        <Button expanded={isOpen.value} onClick={() => (isOpen.value = !isOpen.value)}>
          {t('admin.filters')}
        </Button>
        <Check label={t('audit.follow')} checked={isFollowed} />
      </div>
      {isOpen.value && <AuditFilters />}
      <div role="status">
        {fresh.length > 0 && (
          <Button onClick={showFresh}>{t('audit.fresh', { n: fresh.length })}</Button>
        )}
      </div>
      <Show loaded={pages}>
        {({ items }) =>
          items.length === 0 ? <Empty text={t('manage.none_found')} /> : <Rows rows={items} />
        }
      </Show>
      {pages.more}
    </>
  )
}

function AuditFilters() {
  return (
    <Filters class="filters">
      <FilterField name="actor" label={t('audit.actor')} />
      <FilterSelect
        name="event"
        label={t('audit.event')}
        options={eventGroups.map((group) => [group, t(`events.${group}` as TextKey)])}
      />
      <FilterSelect
        name="result"
        label={t('audit.result')}
        options={[
          ['done', t('audit.done')],
          ['refused', t('audit.refused')],
        ]}
      />
      <FilterField name="target" label={t('audit.target')} />
      <FilterField name="ip" label={t('activity.ip')} />
      <FilterField name="since" type="date" label={t('audit.since')} />
      <FilterField name="until" type="date" label={t('audit.until')} />
    </Filters>
  )
}

/**
 * Rows newer than the first one in the list, requested every few seconds while enabled and the page
 * is visible.
 * @param items rows in the list; null while unknown
 */
function useFresh(isWanted: boolean, search: string, items: readonly AuditRow[] | null) {
  const fresh = useSignal<readonly AuditRow[]>([])
  const newest = items?.[0]?.id ?? 0
  useEffect(() => {
    fresh.value = []
    if (!isWanted || !items) return
    const controller = new AbortController()
    const { signal } = controller
    const query = new URLSearchParams(search)
    query.set('limit', String(freshMax))
    const look = async () => {
      if (document.hidden) return
      const rows = await api<AuditRow[]>('GET', `/api/audit?${query}`, { signal })
      if (!signal.aborted) fresh.value = rows.filter(({ id }) => id > newest)
    }
    let cancel = () => {}
    const again = () => {
      if (signal.aborted) return
      cancel = browserClock.setTimer(followMs, () => void look().then(again, again))
    }
    again()
    return () => {
      controller.abort()
      cancel()
    }
  }, [isWanted, search, newest, items === null])
  return fresh.value
}

function Rows({ rows }: { readonly rows: readonly AuditRow[] }) {
  const showsAddresses = rows.some(({ ip }) => ip)
  let shownDay = ''
  return (
    <Listing
      heads={[t('audit.event'), t('activity.when'), ...(showsAddresses ? [t('activity.ip')] : [])]}
    >
      {rows.map((row) => {
        const day = formatDay(row.at)
        const isNewDay = day !== shownDay
        shownDay = day
        return [
          isNewDay && (
            <tr class="day" role="row" key={day}>
              <th role="rowheader" scope="rowgroup" colSpan={3}>
                {day}
              </th>
            </tr>
          ),
          <ListRow key={row.id} cells={[formatTime(row.at), ...(showsAddresses ? [row.ip] : [])]}>
            <details>
              <summary>{sayRow(row)}</summary>
              <pre>{listFields(row)}</pre>
            </details>
          </ListRow>,
        ]
      })}
    </Listing>
  )
}

/** One in a line, by the names of the API. */
function listFields({ details, ...row }: AuditRow): string {
  const fields = Object.entries({ ...row, ...details }).filter(([, value]) => value !== '')
  const say = (value: unknown) =>
    value instanceof Object && !Array.isArray(value) ? JSON.stringify(value) : String(value)
  return fields.map(([name, value]) => `${name}: ${say(value)}`).join('\n')
}

/** Words for changed fields, as forms say them; the rest is in the details alone. */
const fieldTexts: Readonly<Record<string, TextKey>> = {
  name: 'common.name',
  email: 'common.email',
  password: 'common.password',
  message: 'send.message',
  recipients: 'shares.tab.recipients',
  expiration: 'manage.expires',
  expires_at: 'manage.expires',
  expiresAt: 'manage.expires',
  max_downloads: 'send.max_downloads',
  slug: 'send.slug',
  published: 'ready.link',
  instructions: 'requests.instructions',
}

/** As on the settings page, where a time and its unit are one setting; a key without a name. */
function nameSetting(key: string): string {
  const text = `set.${key.replace(/(?:Val|Unit)$/, '')}`
  return hasText(text) ? t(text) : key
}

/** `ada@example.org deleted the share “Holiday”`; the name of an event without a sentence. */
function sayRow(row: AuditRow): string {
  const { actor_kind: kind, event, details } = row
  const fields = Array.isArray(details['fields']) ? details['fields'].map(String) : []
  const isLink = event === 'share.changed' && fields.join() === 'published'
  const act = isLink ? 'share.published' : details['stopped'] ? 'share.stopped' : event
  // What was not named then has several of its events told from those of others.
  const unnamed = `${t('shares.unnamed')} ${row.target_id.slice(0, 6)}`
  const name = row.target_name || (event.startsWith('share.') ? unnamed : '')
  const key = `event.${act}`
  const who = kind === 'user' ? row.actor_email : t(`audit.is.${kind}`)
  const what = name && !name.includes('@') ? t('audit.named', { name }) : name
  const changed = Array.isArray(details['keys']) ? details['keys'].map(String) : []
  const keys = [...new Set(changed.map(nameSetting))].join(', ')
  const text = t(key as TextKey, { who, what, keys })
  if (text === key) return `${who}: ${event} ${what}`
  if (act !== event) return text
  const named = fields.flatMap((field) => fieldTexts[field] ?? []).map((name) => t(name))
  return [text.trim(), [...new Set(named)].join(', ')].filter(Boolean).join(': ')
}
