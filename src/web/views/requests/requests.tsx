import { isDoomed } from '../../lib/deletion.ts'
import { t } from '../../lib/i18n.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { CopyLink } from '../../ui/copy-button.tsx'
import { LocalLinks } from '../../ui/local-links.tsx'
import { HeadingRow } from '../../ui/heading.tsx'
import * as icons from '../../ui/icons.ts'
import { RowProblems, usePage } from '../../ui/listing.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Empty, Show, useLoad } from '../../ui/state.tsx'
import { Listing, ListRow, noHead } from '../../ui/table.tsx'
import * as facts from './request.tsx'

export function Requests() {
  const loaded = useLoad(facts.listRequests, [])
  return (
    <div class="card stack">
      <HeadingRow title={t('nav.requests')}>
        <ButtonLink href="/requests/new" kind="primary" icon={icons.add}>
          {t('requests.new')}
        </ButtonLink>
      </HeadingRow>
      <RowProblems error={null} />
      <Show loaded={loaded}>
        {(all) => <List requests={all.filter(({ id }) => !isDoomed(facts.requestPath(id)))} />}
      </Show>
    </div>
  )
}

function List({ requests }: { readonly requests: readonly facts.FileRequest[] }) {
  const { shown, pager } = usePage(requests)
  if (requests.length === 0) return <Empty icon={icons.inbox} text={t('requests.empty')} />
  return (
    <>
      <LocalLinks />
      <Listing heads={[t('common.name'), t('requests.received'), t('manage.expires'), noHead]}>
        {shown.map((request) => (
          <Row key={request.id} request={request} />
        ))}
      </Listing>
      {pager}
    </>
  )
}

function Row({ request }: { readonly request: facts.FileRequest }) {
  const { id, status, url } = request
  const name = facts.nameOfRequest(request)
  const address = `/requests/${id}`
  return (
    <ListRow
      cells={[
        request.delivery_count > 0 && <Facts facts={facts.receivedOf(request)} />,
        <facts.Ends request={request} isRow />,
      ]}
      actions={
        <>
          {status === 'open' && <CopyLink url={url} name={name} />}
          <Menu label={t('manage.more', { name })}>
            <ButtonLink kind="quiet" href={address}>
              {t('send.open')}
            </ButtonLink>
            <ButtonLink kind="quiet" href={`${address}/settings`}>
              {t('ready.change')}
            </ButtonLink>
            <Button kind="danger" onClick={() => facts.deleteRequest(request)}>
              {t('manage.delete')}
            </Button>
          </Menu>
        </>
      }
    >
      <a href={address}>
        <bdi>{name}</bdi>
      </a>{' '}
      <facts.Badge request={request} />
    </ListRow>
  )
}
