import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { formatBytes, formatEnd } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { sendsEmail } from '../../lib/page-data.ts'
import type { ViewProps } from '../../lib/routes.ts'
import { sharePath } from '../../lib/share.ts'
import { useSignal } from '../../lib/signals.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { DropZone } from '../../ui/drop-zone.tsx'
import { FileIcon } from '../../ui/file-icon.tsx'
import { FileFold, FileRows } from '../../ui/file-rows.tsx'
import { Done, Heading } from '../../ui/heading.tsx'
import { Facts } from '../../ui/facts.tsx'
import * as icons from '../../ui/icons.ts'
import { LinkTools } from '../../ui/link-tools.tsx'
import { PickingNotes, usePicking } from '../../ui/picking.tsx'
import { Problem, Show, useAction, useGet } from '../../ui/state.tsx'
import { Head } from '../../ui/upload-total.tsx'
import { People } from '../people/people.tsx'
import { isOver, nameOfShare, OverNotice, type OwnShare } from '../shares/share-state.tsx'
import { completeReceived, continueDraft, justMade } from './draft.ts'
import { Mail, useEmails, type RecipientEmail } from './emails.tsx'
import { needsFiles, Progress } from './progress.tsx'
import { addFiles, ended, findSending, type Sending } from './uploads.ts'

/** The link of a new share, while its files may still be uploading. */
export function LinkReady({ params }: ViewProps) {
  const shareId = params['shareId']!
  const sending = findSending(shareId)
  const loaded = useGet<OwnShare>(sharePath(shareId), sending === undefined)
  const share = loaded.data
  // What was loaded before the end does not know of it.
  const isOutdated = share?.status === 'draft' && ended?.shareId === shareId
  const running = sending ?? (isOutdated ? ended : undefined)
  useEffect(
    () => () => {
      if (justMade.value?.shareId === shareId) justMade.value = null
    },
    [shareId],
  )
  return (
    <div class="transfer stack">
      {share ? (
        <Ready share={share} running={running} onChanged={loaded.set} />
      ) : (
        <>
          <Heading title={running?.name.value || t('shares.one')} />
          <Show loaded={loaded}>{() => null}</Show>
        </>
      )}
    </div>
  )
}

/** A draft's files are known where they are sent. */
function sayName({ name, files }: OwnShare, running: Sending | undefined): string {
  const sent = running?.snapshot.value.files.map(({ path }) => ({ original_name: path })) ?? []
  return nameOfShare({ name, files: [...files, ...sent] })
}

function Ready(props: {
  readonly share: OwnShare
  readonly running: Sending | undefined
  readonly onChanged: (share: OwnShare) => void
}) {
  const { share, running, onChanged } = props
  const made = justMade.value?.shareId === share.id ? justMade.value : null
  const emails = useEmails(share)
  const isEnded = isOver(share)
  const isComplete = share.status === 'complete' && !running
  const sent = sendsEmail() ? (emails.data?.emails ?? []) : []
  const isSent = !running && emails.isCurrent
  const said = isEnded ? '' : sayDone(sent, isSent, made?.isCopied)
  const title = <Done said={said} title={sayName(share, running)} />
  const password = made?.password && <Password value={made.password} />
  const next = (
    <>
      <ButtonLink kind="quiet" href={`/shares/${share.id}/settings`} icon={icons.pencil}>
        {t('ready.change')}
      </ButtonLink>
      <ButtonLink kind="quiet" href="/" icon={icons.add}>
        {t('ready.again')}
      </ButtonLink>
    </>
  )
  return (
    <>
      {running ? (
        <>
          <Progress sending={running} title={title} />
          <p class="faint center">{t('send.keep_open')}</p>
        </>
      ) : isEnded ? (
        title
      ) : (
        <Head percent={share.progress ?? 0} isDone={isComplete} title={title} />
      )}
      <OverNotice share={share} />
      {!running && !isEnded && share.status === 'draft' && <Interrupted share={share} />}
      {!isEnded && share.audience === 'named' && (
        <>
          <People share={share} />
          {password}
          <p class="faint center">
            <Summary share={share} />
          </p>
          <div class="row center">{next}</div>
        </>
      )}
      {!isEnded && share.audience === 'anyone' && (
        <Link share={share} end={next}>
          {password}
        </Link>
      )}
      {running && <RunningFiles sending={running} />}
      {!isEnded && share.audience === 'anyone' && sendsEmail() && (
        <Mail
          share={share}
          loaded={emails}
          onSaved={(changed) => onChanged({ ...share, ...changed } as OwnShare)}
          isNew={made !== null}
        />
      )}
      <p class="visually-hidden" role="status">
        {isComplete && said !== t('ready.title') && t('ready.title')}
      </p>
    </>
  )
}

export function Password({ value }: { readonly value: string }) {
  return (
    <div class="stack-tight">
      <CopyField label={t('common.password')} value={value} action={t('ready.copy_password')} />
      <p class="faint">{t('ready.password_hint')}</p>
    </div>
  )
}

/** What has been done with the link, which may be before its files are complete. */
function sayDone(emails: readonly RecipientEmail[], isSent: boolean, isCopied?: boolean): string {
  const n = emails.length
  if (n > 0 && isSent && emails.every(({ status }) => status === 'sent')) {
    return t('ready.sent_to', { n })
  }
  const isOnItsWay = !isSent || emails.some(({ status }) => status === 'queued')
  if (n > 0 && isOnItsWay) return t('ready.sending_to', { n })
  if (isCopied) return t('ready.copied')
  return isSent ? t('ready.title') : ''
}

export function Link(props: {
  readonly share: OwnShare
  readonly children?: ComponentChildren
  readonly end?: ComponentChildren
}) {
  const { share, children, end } = props
  const { id, name, url } = share
  return (
    <LinkTools
      title={name}
      url={url}
      path={sharePath(id)}
      open={t('ready.open')}
      facts={<Summary share={share} />}
      end={end}
    >
      {children}
    </LinkTools>
  )
}

/** `12 files · 5.4 GB · expires Fri 27 Nov, 01:13 · password`, also during the upload. */
function Summary({ share }: { readonly share: OwnShare }) {
  const { id, status, files, total_size: bytes, expires_at: end, max_downloads: most } = share
  const parts: string[] = []
  const totals = findSending(id)?.snapshot.value.totals
  if (status === 'complete') parts.push(t('common.files', { n: files.length }), formatBytes(bytes))
  else if (totals) parts.push(t('common.files', { n: totals.files }), formatBytes(totals.bytes))
  parts.push(end ? t('ready.expires', { day: formatEnd(end) }) : t('ready.no_expiry'))
  if (share.protected) parts.push(t('ready.protected'))
  if (most > 0) parts.push(t('ready.first', { n: most }))
  return <Facts facts={parts} />
}

/** The files of an upload, and what they need. */
export function RunningFiles({ sending }: { readonly sending: Sending }) {
  const { upload, snapshot } = sending
  const { picking, ...zone } = usePicking((files) => void addFiles(sending, files))
  const { files, hold } = snapshot.value
  const isWanting = files.length === 0 || hold === 'files' || needsFiles(snapshot.value)
  return (
    <>
      {isWanting && <DropZone {...zone} look="row" />}
      <PickingNotes picking={picking} />
      <FileFold files={files} isOpen={false}>
        <FileRows
          files={files}
          icon={FileIcon}
          onRemove={(removed) => {
            for (const { id } of removed) upload.remove(id)
          }}
          onRetry={(id) => upload.retry(id)}
        />
      </FileFold>
    </>
  )
}

/** A share with a link that this tab does not send. */
function Interrupted({ share }: { readonly share: OwnShare }) {
  const action = useAction()
  const isElsewhere = useSignal(false)
  const resume = async () => {
    if (share.all_received) await completeReceived(share)
    else isElsewhere.value = !(await continueDraft(share.id))
  }
  return (
    <div class="problem">
      <p>{t(isElsewhere.value ? 'send.elsewhere' : 'ready.interrupted')}</p>
      <Problem error={action.error} />
      <Button busy={action.isBusy} onClick={() => action.run(resume)}>
        {t('send.continue')}
      </Button>
    </div>
  )
}
