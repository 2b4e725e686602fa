import { apiPage } from '../../lib/api.ts'
import { browserClock } from '../../lib/clock.ts'
import { csvCell } from '../../lib/csv.ts'
import { deviceOf } from '../../lib/device.ts'
import { formatBytes } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { sharePath } from '../../lib/share.ts'
import { Button } from '../../ui/button.tsx'
import * as icons from '../../ui/icons.ts'
import { usePages } from '../../ui/listing.tsx'
import { Empty, Problem, Show, useAction } from '../../ui/state.tsx'
import { Listing, ListRow } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { nameOfShare, type OwnShare } from './share-state.tsx'

interface Download {
  readonly id: string
  readonly target: 'archive' | 'selection' | 'file' | 'preview'
  readonly file: { readonly original_name: string } | null
  readonly ip: string
  readonly user_agent: string
  readonly started_at: string
  readonly finished_at: string | null
  readonly bytes_sent: number
  readonly running: boolean
  /** The same for all of one client within a day. */
  readonly transfer: string
  /** Whose personal link it came through. */
  readonly person: { readonly email: string; readonly name: string } | null
}

/** Maximum number of pages, a thousand rows each, in one CSV. */
const csvPagesMax = 100

/** The downloads of a share, newest first. */
export function Activity({ share }: { readonly share: OwnShare }) {
  const path = `${sharePath(share.id)}/activity`
  const pages = usePages<Download>(path)
  const action = useAction()
  const save = () => action.run(() => saveCsv(path, nameOfShare(share)))
  return (
    <Show loaded={pages}>
      {({ items }) =>
        items.length === 0 ? (
          <Empty text={t('activity.empty')} />
        ) : (
          <div class="stack">
            <div>
              <Button kind="quiet" icon={icons.download} busy={action.isBusy} onClick={save}>
                {t('activity.csv')}
              </Button>
            </div>
            <Problem error={action.error} />
            <DownloadTable items={items} />
            {pages.more}
          </div>
        )
      }
    </Show>
  )
}

function DownloadTable({ items }: { readonly items: readonly Download[] }) {
  const showsAddresses = items.some(({ ip }) => ip)
  const showsPeople = items.some(({ person }) => person)
  return (
    <Listing
      heads={[
        t('activity.what'),
        ...(showsPeople ? [t('people.who')] : []),
        t('activity.when'),
        t('activity.client'),
        ...(showsAddresses ? [t('activity.ip')] : []),
        t('activity.sent'),
      ]}
    >
      {joinPreviews(items).map(([item, ...others]) => (
        <ListRow
          key={item.id}
          cells={[
            ...(showsPeople ? [<bdi>{sayPerson(item)}</bdi>] : []),
            <Time at={item.started_at} />,
            <span title={item.user_agent}>{sayClient(item.user_agent)}</span>,
            ...(showsAddresses ? [item.ip] : []),
            sayBytes([item, ...others]),
          ]}
        >
          {others.length === 0 ? (
            <bdi>{sayWhat(item)}</bdi>
          ) : (
            <details>
              <summary>
                {t('activity.preview', { name: t('common.files', { n: others.length + 1 }) })}
              </summary>
              {[item, ...others].map((one) => (
                <small key={one.id}>
                  <bdi>{nameOf(one)}</bdi>
                </small>
              ))}
            </details>
          )}
        </ListRow>
      ))}
    </Listing>
  )
}

/** Who looks through pictures opens many: the previews of a client are one row, at the newest. */
function joinPreviews(items: readonly Download[]): [Download, ...Download[]][] {
  const rows = new Map<string, [Download, ...Download[]]>()
  for (const item of items) {
    const key = item.target === 'preview' ? item.transfer : item.id
    const row = rows.get(key)
    if (row) row.push(item)
    else rows.set(key, [item])
  }
  return [...rows.values()]
}

/** What was sent in all, and how the newest has ended. */
function sayBytes([item, ...others]: readonly [Download, ...Download[]]): string {
  const bytes = formatBytes(others.reduce((sum, one) => sum + one.bytes_sent, item.bytes_sent))
  if (item.finished_at) return bytes
  return `${bytes} · ${t(item.running ? 'activity.running' : 'activity.broken')}`
}

const nameOf = ({ file }: Download) => file?.original_name ?? '?'

function sayWhat(download: Download): string {
  const { target } = download
  if (target === 'preview') return t('activity.preview', { name: nameOf(download) })
  const name =
    target === 'file'
      ? nameOf(download)
      : t(target === 'archive' ? 'activity.of.archive' : 'activity.of.selection')
  return t('activity.download', { name })
}

const sayPerson = ({ person }: Download) => person?.name || (person?.email ?? '')

/** A short form of the client's User-Agent: `Firefox, Android`. */
function sayClient(agent: string): string {
  const { browser, system } = deviceOf(agent)
  return [browser, system].filter(Boolean).join(', ') || agent.slice(0, 30)
}

async function saveCsv(path: string, name: string): Promise<void> {
  const rows = [['started_at', 'finished_at', 'what', 'ip', 'user_agent', 'bytes_sent', 'person']]
  let next: string | null = `${path}?limit=1000`
  for (let page = 0; next && page < csvPagesMax; page += 1) {
    const found: { items: readonly Download[]; next: string | null } = await apiPage(next)
    for (const item of found.items) {
      const { started_at: from, finished_at: to, ip, user_agent: agent, bytes_sent: bytes } = item
      rows.push([from, to ?? '', sayWhat(item), ip, agent, String(bytes), sayPerson(item)])
    }
    next = found.next
  }
  const text = rows.map((row) => row.map(csvCell).join(',')).join('\r\n')
  const url = URL.createObjectURL(new Blob([`\ufeff${text}\r\n`], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${name}.csv`
  link.click()
  browserClock.setTimer(60_000, () => URL.revokeObjectURL(url))
}
