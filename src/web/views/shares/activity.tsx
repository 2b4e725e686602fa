import { apiPage } from '../../lib/api.ts'
import { browserClock } from '../../lib/clock.ts'
import { csvCell } from '../../lib/csv.ts'
import { deviceOf } from '../../lib/device.ts'
import { formatBytes } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { sharePath } from '../../lib/share.ts'
import { Button } from '../../ui/button.tsx'
import * as icons from '../../ui/icons.ts'
import { Empty, Problem, Show, useAction, useLoad } from '../../ui/state.tsx'
import { Listing } from '../../ui/table.tsx'
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
  /** Whose personal link it came through. */
  readonly person: { readonly email: string; readonly name: string } | null
}

/** Maximum number of pages, a thousand rows each, in one CSV. */
const csvPagesMax = 100

/** The downloads of a share, newest first. */
export function Activity({ share }: { readonly share: OwnShare }) {
  const path = `${sharePath(share.id)}/activity`
  const loaded = useLoad((signal) => apiPage<readonly Download[]>(path, { signal }), [path])
  const action = useAction()
  const more = async (next: string) => {
    const page = await apiPage<readonly Download[]>(next)
    loaded.set({ items: [...(loaded.data?.items ?? []), ...page.items], next: page.next })
  }
  return (
    <Show loaded={loaded}>
      {({ items, next }) =>
        items.length === 0 ? (
          <Empty text={t('activity.empty')} />
        ) : (
          <div class="stack">
            <div>
              <Button
                icon={icons.download}
                busy={action.isBusy}
                onClick={() => action.run(() => saveCsv(path, nameOfShare(share)))}
              >
                {t('activity.csv')}
              </Button>
            </div>
            <Problem error={action.error} />
            <DownloadTable items={items} />
            {next && (
              <div>
                <Button busy={action.isBusy} onClick={() => action.run(() => more(next))}>
                  {t('activity.more')}
                </Button>
              </div>
            )}
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
      {items.map((item) => (
        <tr role="row" key={item.id}>
          <th role="rowheader" scope="row">
            <bdi>{sayWhat(item)}</bdi>
          </th>
          {showsPeople && (
            <td role="cell">
              <bdi>{sayPerson(item)}</bdi>
            </td>
          )}
          <td role="cell">
            <Time at={item.started_at} />
          </td>
          <td role="cell" class="wide-only" title={item.user_agent}>
            {sayClient(item.user_agent)}
          </td>
          {showsAddresses && <td role="cell">{item.ip}</td>}
          <td role="cell">
            {formatBytes(item.bytes_sent)}
            {!item.finished_at && ` · ${t(item.running ? 'activity.running' : 'activity.broken')}`}
          </td>
        </tr>
      ))}
    </Listing>
  )
}

function sayWhat({ target, file }: Download): string {
  if (target === 'preview' || target === 'file') {
    const name = file?.original_name ?? '?'
    return t(target === 'file' ? 'activity.download' : 'activity.preview', { name })
  }
  return t('activity.download', { name: t(`activity.of.${target}`) })
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
