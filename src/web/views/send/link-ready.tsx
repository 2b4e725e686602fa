import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../lib/api.ts'
import { formatBytes, formatDay, formatPercent } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import type { ViewProps } from '../../lib/routes.ts'
import { sharePath, type Share } from '../../lib/share.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { DropZone } from '../../ui/drop-zone.tsx'
import { FileRows } from '../../ui/file-rows.tsx'
import { Heading } from '../../ui/heading.tsx'
import * as icons from '../../ui/icons.ts'
import { LinkTools } from '../../ui/link-tools.tsx'
import { PickingNotes, usePicking } from '../../ui/picking.tsx'
import { Problem, Show, useAction, useLoad } from '../../ui/state.tsx'
import { Ring } from '../../ui/upload-total.tsx'
import { nameOfShare, OverNotice, stateOf, type OwnShare } from '../shares/share-state.tsx'
import { continueDraft, justMade } from './draft.ts'
import { Mail } from './emails.tsx'
import { needsFiles, Progress } from './progress.tsx'
import { addFiles, findSending, type Sending } from './uploads.ts'

/** The link of a new share, while its files may still be uploading. */
export function LinkReady({ params }: ViewProps) {
  const shareId = params['shareId']!
  const running = findSending(shareId)
  const loaded = useLoad(
    (signal) => api<OwnShare>('GET', sharePath(shareId), { signal }),
    [shareId, running === undefined],
  )
  const made = justMade.value?.shareId === shareId ? justMade.value : null
  useEffect(
    () => () => {
      if (justMade.value?.shareId === shareId) justMade.value = null
    },
    [shareId],
  )
  const found = loaded.data
  const isEnded = found !== null && stateOf(found) === 'ended'
  return (
    <div class="transfer stack">
      <div class="head">
        <Heading
          title={isEnded ? nameOfShare(found) : sayTitle(running, made?.isCopied ?? false)}
        />
        {running && <Ring percent={running.snapshot.value.totals.percent} />}
        {!running && made && <Ring percent={100} isDone />}
      </div>
      <Show loaded={loaded}>
        {(share) => (
          <>
            {made?.isCopied && !running && <p role="status">{t('ready.copied')}</p>}
            <OverNotice share={share} />
            {!isEnded && <Link share={share} />}
            {made?.password && (
              <>
                <CopyField
                  label={t('password')}
                  value={made.password}
                  action={t('ready.copy_password')}
                />
                <p class="hint">{t('ready.password_hint')}</p>
              </>
            )}
            {running ? <Running sending={running} hasRing={false} /> : <Ended share={share} />}
            {!isEnded && (
              <Mail
                share={share}
                onSaved={(changed) => loaded.set({ ...share, ...changed } as OwnShare)}
                isNew={made !== null}
              />
            )}
            <div>
              <ButtonLink href="/" icon={icons.add}>
                {t('ready.again')}
              </ButtonLink>
            </div>
          </>
        )}
      </Show>
    </div>
  )
}

function sayTitle(running: Sending | undefined, isCopied: boolean): string {
  if (!running || !isCopied) return t('ready.title')
  const { percent } = running.snapshot.value.totals
  return t('ready.copied_title', { percent: formatPercent(1 - percent / 100) })
}

export function Link({ share }: { readonly share: Share }) {
  const { id, name, url } = share
  return (
    <>
      <LinkTools title={name} url={url} path={sharePath(id)} open={t('ready.open')} />
      <p class="faint">
        <Summary share={share} /> <a href={`/shares/${id}/settings`}>{t('ready.change')}</a>
      </p>
    </>
  )
}

/** `12 files · 5.4 GB · expires Fri 27 Nov · password on`, updated during the upload. */
function Summary({ share }: { readonly share: Share }) {
  const { id, status, files, total_size: bytes, expires_at, protected: isLocked } = share
  const parts: string[] = []
  const totals = findSending(id)?.snapshot.value.totals
  if (status === 'complete') parts.push(t('files', { n: files.length }), formatBytes(bytes))
  else if (totals) parts.push(t('files', { n: totals.files }), formatBytes(totals.bytes))
  parts.push(expires_at ? t('ready.expires', { day: formatDay(expires_at) }) : t('ready.no_expiry'))
  if (isLocked) parts.push(t('ready.protected'))
  return <>{parts.join(' · ')}</>
}

export function Running(props: { readonly sending: Sending; readonly hasRing?: boolean }) {
  const { sending, ...looks } = props
  const { upload, snapshot } = sending
  const { picking, ...zone } = usePicking((files) => void addFiles(sending, files))
  const { files } = snapshot.value
  return (
    <>
      <Progress sending={sending} {...looks} />
      {needsFiles(snapshot.value) && <DropZone {...zone} isSmall />}
      <PickingNotes picking={picking} />
      <FileRows
        files={files}
        onRemove={(removed) => {
          for (const { id } of removed) upload.remove(id)
        }}
        onRetry={(id) => upload.retry(id)}
      />
    </>
  )
}

/** A share that this tab does not send: complete, or abandoned. */
function Ended({ share }: { readonly share: OwnShare }) {
  const action = useAction()
  const isElsewhere = useSignal(false)
  if (['ended', 'used_up'].includes(stateOf(share))) return null
  if (share.status !== 'draft') {
    return <p role="status">{t(share.protected ? 'ready.complete_locked' : 'ready.complete')}</p>
  }
  return (
    <div class="problem">
      <p>{t(isElsewhere.value ? 'send.elsewhere' : 'ready.interrupted')}</p>
      <Problem error={action.error} />
      <Button
        busy={action.isBusy}
        onClick={() =>
          action.run(async () => (isElsewhere.value = !(await continueDraft(share.id))))
        }
      >
        {t('send.continue')}
      </Button>
    </div>
  )
}
