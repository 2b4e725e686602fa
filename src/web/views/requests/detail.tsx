import { api, ApiError } from '../../lib/api.ts'
import { t } from '../../lib/i18n.ts'
import { query, place } from '../../lib/router.ts'
import type { ViewProps } from '../../lib/routes.ts'
import { BackTo, Button } from '../../ui/button.tsx'
import { Heading } from '../../ui/heading.tsx'
import { LinkTools } from '../../ui/link-tools.tsx'
import { RowProblems } from '../../ui/listing.tsx'
import { Problem, Show, useAction, useLoad } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { Deliveries } from './deliveries.tsx'
import {
  Badge,
  listRequests,
  nameOfRequest,
  Received,
  requestPath,
  sayEnds,
  type FileRequest,
} from './request.tsx'
import { RequestSettings } from './settings.tsx'

/** One file request: its link, its deliveries, and its settings. */
export function RequestDetail({ params }: ViewProps) {
  const id = params['reverseId']!
  const isSettings = params['view'] === 'settings'
  const loaded = useLoad(
    async (signal) => {
      const found = (await listRequests(signal)).find((request) => request.id === id)
      if (!found) throw new ApiError(404, { code: 'not_found' })
      return found
    },
    [id],
  )
  const isNew = new URLSearchParams(place.value.search).has('new')
  const title = loaded.data ? nameOfRequest(loaded.data) : t('requests.one')
  return (
    <div class="card stack">
      <BackTo href="/requests" text={t('nav.requests')} />
      {isNew && (
        <p class="said" role="status">
          {t('requests.created')}
        </p>
      )}
      <div class="row">
        <Heading title={title} />
        {loaded.data && <Badge request={loaded.data} />}
      </div>
      <RowProblems error={null} />
      <Show loaded={loaded}>
        {(request) => (
          <>
            <LinkBar request={request} onChanged={loaded.reload} />
            <nav class="tabs" aria-label={title}>
              <a href={`/requests/${id}`} aria-current={isSettings ? undefined : 'page'}>
                {t('requests.received')}
              </a>
              <a href={`/requests/${id}/settings`} aria-current={isSettings ? 'page' : undefined}>
                {t('requests.edit')}
              </a>
            </nav>
            {isSettings ? (
              <RequestSettings request={request} onChanged={loaded.reload} />
            ) : (
              <Deliveries request={request} wanted={query('delivery')} onDeleted={loaded.reload} />
            )}
          </>
        )}
      </Show>
    </div>
  )
}

interface Changeable {
  readonly request: FileRequest
  readonly onChanged: () => void
}

function LinkBar({ request, onChanged }: Changeable) {
  const { expires_at: end, url, status } = request
  const isOpen = status === 'open'
  return (
    <>
      <p>
        <Received request={request} /> · {sayEnds(request)}{' '}
        {end ? <Time at={end} /> : t('expiry.never')}
      </p>
      {isOpen ? (
        <LinkTools
          title={nameOfRequest(request)}
          url={url}
          path={requestPath(request.id)}
          open={t('requests.open')}
        />
      ) : status === 'closed' ? (
        <Closed request={request} onChanged={onChanged} />
      ) : (
        <p class="notice">{t('requests.ended')}</p>
      )}
    </>
  )
}

/** Closed by its one delivery. */
function Closed({ request, onChanged }: Changeable) {
  const action = useAction()
  const open = async () => {
    await api('PATCH', requestPath(request.id), { body: { once: false } })
    onChanged()
  }
  return (
    <div class="notice stack-tight">
      <p>
        {t('requests.closed')} <Time at={request.closed_at!} />
      </p>
      <div>
        <Button busy={action.isBusy} onClick={() => action.run(open)}>
          {t('requests.open_again')}
        </Button>
      </div>
      <Problem error={action.error} />
    </div>
  )
}
