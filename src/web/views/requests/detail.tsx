import { api, ApiError } from '../../lib/api.ts'
import { sayEnd } from '../../lib/expiry.ts'
import { t } from '../../lib/i18n.ts'
import { query, place } from '../../lib/router.ts'
import type { ViewProps } from '../../lib/routes.ts'
import { BackTo, Button, ButtonLink } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Done, Heading } from '../../ui/heading.tsx'
import * as icons from '../../ui/icons.ts'
import { LinkTools } from '../../ui/link-tools.tsx'
import { RowProblems } from '../../ui/listing.tsx'
import { isMissing, Missing, Problem, Show, useAction, useLoad } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { Head } from '../../ui/upload-total.tsx'
import { justMade } from '../send/draft.ts'
import { Password } from '../send/link-ready.tsx'
import { Deliveries } from './deliveries.tsx'
import * as facts from './request.tsx'
import { RequestSettings } from './settings.tsx'

/** One file request: its link, its deliveries, and its settings. */
export function RequestDetail({ params }: ViewProps) {
  const id = params['reverseId']!
  const isSettings = params['view'] === 'settings'
  const find = async (signal?: AbortSignal) => {
    const found = (await facts.listRequests(signal)).find((request) => request.id === id)
    if (!found) throw new ApiError(404, { code: 'not_found' })
    return found
  }
  const loaded = useLoad(find, [id])
  if (isMissing(loaded)) return <Missing />
  const isNew = new URLSearchParams(place.value.search).has('new')
  if (isNew && loaded.data?.status === 'open') return <Ready request={loaded.data} />
  const title = loaded.data ? facts.nameOfRequest(loaded.data) : t('requests.one')
  return (
    <div class="card stack">
      <BackTo href="/requests" text={t('nav.requests')} />
      <div class="row">
        <Heading title={title} />
        {loaded.data && <facts.Badge request={loaded.data} />}
      </div>
      <RowProblems error={null} />
      <Show loaded={loaded}>
        {(request) => (
          <>
            <p class="faint">
              <Facts facts={[...facts.receivedOf(request), <facts.Ends request={request} />]} />
            </p>
            {request.status === 'open' ? (
              <LinkTools
                {...linkOf(request)}
                // Received files matter more than the link.
                kind={request.delivery_count > 0 ? 'quiet' : 'primary'}
              />
            ) : request.status === 'closed' ? (
              <Closed request={request} onChanged={loaded.reload} />
            ) : (
              <p class="notice">{t('requests.ended')}</p>
            )}
            <nav class="tabs" aria-label={title}>
              <a href={`/requests/${id}`} aria-current={isSettings ? undefined : 'page'}>
                {t('requests.received')}
              </a>
              <a href={`/requests/${id}/settings`} aria-current={isSettings ? 'page' : undefined}>
                {t('shares.tab.settings')}
              </a>
            </nav>
            {isSettings ? (
              <RequestSettings request={request} onChanged={async () => loaded.set(await find())} />
            ) : (
              <Deliveries request={request} wanted={query('delivery')} onDeleted={loaded.reload} />
            )}
          </>
        )}
      </Show>
    </div>
  )
}

/** A request that was just made: the card of Send, with its link. */
function Ready({ request }: { readonly request: facts.FileRequest }) {
  const { id, expires_at: end } = request
  const made = justMade.value?.shareId === id ? justMade.value : null
  const said = made?.to
    ? t('ready.mail_queued', { list: made.to })
    : t(made?.isCopied ? 'ready.copied' : 'requests.created')
  return (
    <div class="transfer stack">
      <Head
        isDone
        percent={100}
        title={<Done said={said} title={facts.nameOfRequest(request)} />}
      />
      <LinkTools
        {...linkOf(request)}
        facts={sayEnd(end)}
        end={
          <ButtonLink kind="quiet" href={`/requests/${id}`} icon={icons.inbox}>
            {t('requests.show')}
          </ButtonLink>
        }
      >
        {made?.password && <Password value={made.password} />}
      </LinkTools>
    </div>
  )
}

const linkOf = (request: facts.FileRequest) => ({
  title: facts.nameOfRequest(request),
  url: request.url,
  path: facts.requestPath(request.id),
  open: t('requests.open'),
})

/** Closed by its one delivery. */
function Closed(props: { readonly request: facts.FileRequest; readonly onChanged: () => void }) {
  const { request, onChanged } = props
  const action = useAction()
  const open = async () => {
    await api('PATCH', facts.requestPath(request.id), { body: { once: false } })
    onChanged()
  }
  return (
    <div class="notice row spread">
      <p>
        {t('requests.closed')} <Time at={request.closed_at!} />
      </p>
      <Button busy={action.isBusy} onClick={() => action.run(open)}>
        {t('requests.open_again')}
      </Button>
      <Problem error={action.error} />
    </div>
  )
}
