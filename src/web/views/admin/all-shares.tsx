import { api } from '../../lib/api.ts'
import { formatBytes } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { query } from '../../lib/router.ts'
import { IconButton } from '../../ui/button.tsx'
import { useConfirm } from '../../ui/dialog.tsx'
import { Heading } from '../../ui/heading.tsx'
import * as icons from '../../ui/icons.ts'
import { Name } from '../../ui/name.tsx'
import { Empty, Show } from '../../ui/state.tsx'
import { usePages } from '../../ui/listing.tsx'
import { Listing, ListRow, noHead } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { Badge, Ends, isOver, sayPeople, saySize, type AnyShare } from '../shares/share-state.tsx'
import { FilterField, FilterSelect, Filters } from './paged.tsx'

const states = [
  ['draft', 'interrupted'],
  ['complete', 'active'],
  ['expired', 'ended'],
] as const

export function AllShares() {
  const pages = usePages<AnyShare>('/api/admin/shares')
  const removing = useConfirm((share: AnyShare) => {
    const { id, owner, total_size: bytes } = share
    const what = { name: nameOf(share), owner: owner.email, size: formatBytes(bytes) }
    return {
      title: t('all_shares.delete_title'),
      action: t('manage.delete'),
      children: <p>{t('all_shares.delete_text', what)}</p>,
      onConfirm: async () => {
        await api('DELETE', `/api/admin/shares/${id}`)
        toast(t('manage.deleted', what))
        pages.reload()
      },
    }
  })
  return (
    <>
      <Heading title={t('admin.tab.shares')} />
      <Filters class="list-filters">
        <FilterField name="search" type="search" label={t('manage.search')} />
        <FilterSelect
          name="state"
          label={t('manage.state')}
          options={states.map(([state, word]) => [state, t(`shares.state.${word}`)])}
        />
      </Filters>
      <Show loaded={pages}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty
              text={t(query('search') || query('state') ? 'manage.none_found' : 'all_shares.empty')}
            />
          ) : (
            <ShareTable shares={items} onDelete={removing.ask} />
          )
        }
      </Show>
      {pages.more}
      {removing.dialog}
    </>
  )
}

function ShareTable(props: {
  readonly shares: readonly AnyShare[]
  readonly onDelete: (share: AnyShare) => void
}) {
  return (
    <Listing
      heads={[
        t('shares.one'),
        t('manage.size'),
        t('shares.opened_by'),
        t('admin.created'),
        t('manage.expires'),
        noHead,
      ]}
    >
      {props.shares.map((share) => (
        <ListRow
          key={share.id}
          cells={[
            saySize(share, share.file_count),
            sayPeople(share),
            <>
              <span class="narrow-head">{t('admin.created')}: </span>
              <Time at={share.created_at} />
            </>,
            <Ends share={share} />,
          ]}
          actions={
            <IconButton
              icon={icons.trash}
              label={`${t('manage.delete')}: ${nameOf(share)}`}
              onClick={() => props.onDelete(share)}
            />
          }
        >
          {share.published && share.audience === 'anyone' && !isOver(share) ? (
            <a href={share.url} target="_blank" rel="noopener">
              <bdi>{nameOf(share)}</bdi>
            </a>
          ) : (
            <bdi>{nameOf(share)}</bdi>
          )}{' '}
          <Badge share={share} />
          <small class="faint">
            <Name of={share.owner.email} />
          </small>
        </ListRow>
      ))}
    </Listing>
  )
}

const nameOf = ({ name }: AnyShare) => name || t('shares.unnamed')
