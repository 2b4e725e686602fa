import { isDoomed } from '../../lib/deletion.ts'
import { editable } from '../../lib/editable.ts'
import { formatBytes } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { searchable } from '../../lib/search.ts'
import { query, setQuery } from '../../lib/router.ts'
import { listedPath, sharePath } from '../../lib/share.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { CopyLink } from '../../ui/copy-button.tsx'
import { LocalLinks } from '../../ui/local-links.tsx'
import { SearchField, Select } from '../../ui/field.tsx'
import { HeadingRow } from '../../ui/heading.tsx'
import { Lock } from '../../ui/icon.tsx'
import * as icons from '../../ui/icons.ts'
import { RowProblems, SortHeader, usePage } from '../../ui/listing.tsx'
import { Empty, Show, useAction, usePoll, useGet } from '../../ui/state.tsx'
import { Listing, ListRow, noHead } from '../../ui/table.tsx'
import { sendings } from '../send/uploads.ts'
import { ShareMenu } from './share-menu.tsx'
import * as state from './share-state.tsx'

export function Shares() {
  const loaded = useGet<state.OwnShare[]>('/api/shares', sendings.value.length)
  const shares = loaded.data?.filter(({ id }) => !isDoomed(sharePath(id)))
  usePoll(loaded, shares?.some(({ receiving }) => receiving) ?? false)
  const send = (
    <ButtonLink href="/" kind="primary" icon={icons.send}>
      {t('send.title')}
    </ButtonLink>
  )
  return (
    <div class="card stack">
      <HeadingRow title={t('nav.shares')}>{!!shares?.length && send}</HeadingRow>
      <Show loaded={loaded}>
        {() =>
          shares?.length ? (
            <>
              <Space />
              <List shares={shares} onChanged={loaded.reload} />
            </>
          ) : (
            <Empty icon={icons.link} text={t('shares.empty')}>
              {send}
            </Empty>
          )
        }
      </Show>
    </div>
  )
}

/** Used space and quota. */
function Space() {
  const { data } = useGet<{ used_bytes: number; quota_bytes: number }>('/api/account/usage')
  if (!data) return <p class="faint">{'\u00a0'}</p>
  const { used_bytes: used, quota_bytes: quota } = data
  if (quota === 0) return <p class="faint">{t('shares.space', { used: formatBytes(used) })}</p>
  const said = t('shares.space_of', { used: formatBytes(used), quota: formatBytes(quota) })
  return (
    <div class="faint stack-tight">
      <progress value={used} max={quota} aria-label={said} />
      <p>{said}</p>
    </div>
  )
}

function List(props: { shares: readonly state.OwnShare[]; onChanged: () => void }) {
  const { shares, onChanged } = props
  const action = useAction()
  const found = sort(filter(shares))
  const { shown, pager } = usePage(found)
  const heads = [
    <SortHeader by="name">{t('common.name')}</SortHeader>,
    <SortHeader by="size">{t('manage.size')}</SortHeader>,
    <SortHeader by="downloads">{t('shares.opened_by')}</SortHeader>,
    <SortHeader by="expires">{t('manage.expires')}</SortHeader>,
    noHead,
  ]
  return (
    <>
      <LocalLinks />
      <RowProblems error={action.error} />
      <div class="stack">
        <Filters />
        {found.length === 0 ? (
          <Empty text={t('manage.none_found')} />
        ) : (
          <Listing heads={heads}>
            {shown.map((share) => (
              <Row key={share.id} share={share} onChanged={onChanged} action={action} />
            ))}
          </Listing>
        )}
      </div>
      {pager}
    </>
  )
}

const filters = [
  ['', 'shares.filter.all'],
  ['active', 'shares.state.active'],
  ['unfinished', 'shares.state.interrupted'],
  ['over', 'shares.state.ended'],
] as const

function Filters() {
  return (
    <search class="list-filters">
      <SearchField
        label={t('manage.search')}
        value={editable(query('q'), (q) => setQuery({ q, page: '' }))}
      />
      <Select
        label={t('manage.state')}
        value={editable(query('state'), (state) => setQuery({ state, page: '' }))}
        options={filters.map(([value, text]) => [value, t(text)])}
      />
    </search>
  )
}

interface RowProps {
  readonly share: state.OwnShare
  readonly onChanged: () => void
  readonly action: ReturnType<typeof useAction>
}

function Row({ share, onChanged, action }: RowProps) {
  const { id, files, url } = share
  const name = state.nameOfShare(share)
  return (
    <ListRow
      cells={[
        state.saySize(share, files.length),
        state.sayPeople(share),
        <state.Ends share={share} />,
      ]}
      actions={
        <>
          {state.isElsewhere(share) && <GoOn share={share} />}
          {share.published && share.audience === 'anyone' && !state.isOver(share) && (
            <CopyLink url={url} name={name} />
          )}
          <ShareMenu share={share} onChanged={onChanged} action={action} />
        </>
      }
    >
      <a href={`/shares/${id}`}>
        <bdi>{name}</bdi>
      </a>
      {/* Beside the last word. */}
      {share.protected && (
        <>
          &nbsp;
          <Lock text={t('common.password')} />
        </>
      )}{' '}
      <state.Badge share={share} />
    </ListRow>
  )
}

/** Leads to the link that an upload lacks, or to Send for the rest of its files. */
function GoOn({ share }: { readonly share: state.OwnShare }) {
  const { id, all_received: isWhole } = share
  const label = `${t(isWhole ? 'send.get_link' : 'send.continue')} ${state.nameOfShare(share)}`
  return (
    <ButtonLink
      kind="quiet"
      href={isWhole ? `/shares/${id}` : `/?continue=${id}`}
      icon={isWhole ? icons.link : icons.retry}
      label={label}
    />
  )
}

const groups: Readonly<Record<string, readonly string[]>> = {
  active: ['active', 'today'],
  unfinished: ['uploading', 'uploaded', 'interrupted'],
  over: ['ending', 'ended', 'used_up'],
}

function filter(shares: readonly state.OwnShare[]): state.OwnShare[] {
  const words = searchable(query('q').trim())
  const states = groups[query('state')]
  return shares.filter(
    (share) =>
      (!states || states.includes(state.stateOf(share))) &&
      [share, ...share.files].some((one) =>
        searchable('original_name' in one ? listedPath(one) : one.name).includes(words),
      ),
  )
}

/** Ascending; links without an end come last. The service's order is newest first. */
const orders: Readonly<Record<string, (a: state.OwnShare, b: state.OwnShare) => number>> = {
  name: (a, b) => state.nameOfShare(a).localeCompare(state.nameOfShare(b)),
  size: (a, b) => a.total_size - b.total_size,
  downloads: (a, b) => a.download_count - b.download_count,
  expires: (a, b) => (a.expires_at ?? '9').localeCompare(b.expires_at ?? '9'),
}

function sort(shares: state.OwnShare[]): state.OwnShare[] {
  const chosen = query('sort')
  const order = orders[chosen.replace('-', '')]
  if (!order) return shares
  return shares.toSorted((a, b) => (chosen.startsWith('-') ? order(b, a) : order(a, b)))
}
