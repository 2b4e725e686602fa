import { t } from '../../lib/i18n.ts'
import { sendsEmail } from '../../lib/page-data.ts'
import { isAddress, readRecipients } from '../../lib/recipients.ts'
import type { ViewProps } from '../../lib/routes.ts'
import { sharePath } from '../../lib/share.ts'
import { BackTo, Button, ButtonLink } from '../../ui/button.tsx'
import { Heading } from '../../ui/heading.tsx'
import { RowProblems } from '../../ui/listing.tsx'
import { isMissing, Missing, Problem, Show, useAction, usePoll, useGet } from '../../ui/state.tsx'
import { completeReceived } from '../send/draft.ts'
import { Link } from '../send/link-ready.tsx'
import { Mail, useEmails } from '../send/emails.tsx'
import { findSending } from '../send/uploads.ts'
import { People } from '../people/people.tsx'
import { Activity } from './activity.tsx'
import { Files } from './files.tsx'
import { ShareSettings } from './settings.tsx'
import * as state from './share-state.tsx'

const tabs = ['files', 'settings', 'activity', 'recipients'] as const
type Tab = (typeof tabs)[number]

/** One share: its link, and tabs for its files, settings and downloads. */
export function ShareDetail({ params }: ViewProps) {
  const id = params['shareId']!
  const loaded = useGet<state.OwnShare>(sharePath(id), findSending(id) === undefined)
  const shown = tabsOf(loaded.data)
  const tab = shown.find((name) => name === params['view']) ?? shown[0]!
  // Uploads of this tab are known without polling.
  usePoll(loaded, !findSending(id) && (loaded.data?.receiving ?? false))
  if (isMissing(loaded)) return <Missing />
  return (
    <div class="card stack">
      <BackTo href="/shares" text={t('nav.shares')} />
      <div class="row">
        <Heading title={loaded.data ? state.nameOfShare(loaded.data) : t('shares.one')} />
        {loaded.data && <state.Badge share={loaded.data} />}
      </div>
      <RowProblems error={null} />
      <Show loaded={loaded}>
        {(share) => (
          <>
            {share.published && <p class="faint">{state.sayOpened(share)}</p>}
            {!state.isOver(share) && state.isElsewhere(share) && <GoOn share={share} />}
            <state.OverNotice share={share} />
            {!state.isOver(share) && share.published && share.audience === 'anyone' && (
              <Link share={share} />
            )}
            <nav class="tabs" aria-label={state.nameOfShare(share)}>
              {shown.map((name) => (
                <a
                  key={name}
                  href={`/shares/${id}${name === 'files' ? '' : `/${name}`}`}
                  aria-current={name === tab ? 'page' : undefined}
                >
                  {t(`shares.tab.${name}`)}
                </a>
              ))}
            </nav>
            <TabView tab={tab} share={share} onChanged={loaded.set} onRemoved={loaded.reload} />
          </>
        )}
      </Show>
    </div>
  )
}

/**
 * Email is mentioned only where there is a mail server. A draft's files are not known, an expired
 * share's files are gone, and a share that is over cannot be changed.
 */
const tabsOf = (share: state.OwnShare | null) =>
  tabs.filter((tab) => {
    if (tab === 'files') return !share || share.status === 'complete'
    if (tab === 'activity') return share?.status !== 'draft'
    if (share && state.isOver(share)) return false
    return tab === 'settings' || sendsEmail() || share?.audience === 'named'
  })

/** The rest of a draft: its end if the service has all of it, whichever device has sent it. */
function GoOn({ share }: { readonly share: state.OwnShare }) {
  const action = useAction()
  const { id, published, all_received: isWhole, receiving, recipients } = share
  const n = sendsEmail() ? readRecipients(recipients).filter(isAddress).length : 0
  return (
    <div class="notice row spread">
      <p>
        {isWhole
          ? t(published ? 'send.uploaded' : 'shares.ready', { name: state.nameOfShare(share) })
          : receiving
            ? t('shares.elsewhere')
            : state.sayStopped(share)}
      </p>
      {isWhole ? (
        <Button
          kind={published ? 'plain' : 'primary'}
          busy={action.isBusy}
          onClick={() => action.run(() => completeReceived(share))}
        >
          {published ? t('send.continue') : n > 0 ? t('send.send_to', { n }) : t('send.get_link')}
        </Button>
      ) : (
        <ButtonLink href={`/?continue=${id}`}>{t('send.continue')}</ButtonLink>
      )}
      <Problem error={action.error} />
    </div>
  )
}

function TabView(props: {
  readonly tab: Tab
  readonly share: state.OwnShare
  readonly onChanged: (share: state.OwnShare) => void
  readonly onRemoved: () => void
}) {
  const { tab, share, onChanged, onRemoved } = props
  if (tab === 'files') return <Files share={share} onRemoved={onRemoved} />
  if (tab === 'activity') return <Activity share={share} />
  if (tab === 'settings') return <ShareSettings share={share} onChanged={onChanged} />
  if (share.audience === 'named') return <People share={share} />
  return <Recipients share={share} onChanged={onChanged} />
}

function Recipients(props: {
  readonly share: state.OwnShare
  readonly onChanged: (share: state.OwnShare) => void
}) {
  const { share, onChanged } = props
  return (
    <div class="stack">
      <Mail
        share={share}
        isOpen
        loaded={useEmails(share)}
        onSaved={(changed) => onChanged({ ...share, ...changed } as state.OwnShare)}
      />
    </div>
  )
}
