import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../lib/api.ts'
import { canCopyPictures, copyPicture } from '../../lib/clipboard.ts'
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
import { PickingNotes, usePicking } from '../../ui/picking.tsx'
import { Problem, Show, useAction, useLoad } from '../../ui/state.tsx'
import { continueDraft, justMade } from './draft.ts'
import { Mail } from './emails.tsx'
import { needsFiles, Progress } from './progress.tsx'
import { addFiles, findSending, type Sending } from './uploads.ts'

/** The link of a new share, while its files may still be uploading. */
export function LinkReady({ params }: ViewProps) {
  const shareId = params['shareId']!
  const running = findSending(shareId)
  const loaded = useLoad(
    (signal) => api<Share>('GET', sharePath(shareId), { signal }),
    [shareId, running === undefined],
  )
  const made = justMade.value?.shareId === shareId ? justMade.value : null
  useEffect(
    () => () => {
      if (justMade.value?.shareId === shareId) justMade.value = null
    },
    [shareId],
  )
  return (
    <div class="stack narrow">
      <Heading title={sayTitle(running, made?.isCopied ?? false)} />
      <Show loaded={loaded}>
        {(share) => (
          <>
            {made?.isCopied && !running && <p role="status">{t('ready.copied')}</p>}
            <Link share={share} />
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
            {running ? <Running sending={running} /> : <Ended share={share} />}
            <Mail share={share} onSaved={loaded.set} isNew={made !== null} />
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
  const hasQr = useSignal(false)
  const { name: title, url } = share
  return (
    <>
      <CopyField label={t('ready.link')} value={url} action={t('ready.copy_link')} kind="primary" />
      <div class="row">
        {'share' in navigator && (
          // Closing the system's list of apps is not an error.
          <Button
            icon={icons.share}
            onClick={() => navigator.share({ title, url }).catch(() => {})}
          >
            {t('ready.share')}
          </Button>
        )}
        <Button icon={icons.qr} expanded={hasQr.value} onClick={() => (hasQr.value = !hasQr.value)}>
          {t('ready.qr')}
        </Button>
        <ButtonLink href={new URL(url).pathname} icon={icons.eye} newTab>
          {t('ready.open')}
        </ButtonLink>
      </div>
      {hasQr.value && <QrCode shareId={share.id} />}
      <p class="faint">
        <Summary share={share} /> <a href={`/shares/${share.id}/settings`}>{t('ready.change')}</a>
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

/** Sharp enough for print. */
const copiedPixels = 1024

/** Loaded and shown on demand, because others may see the screen. */
function QrCode({ shareId }: { readonly shareId: string }) {
  const loaded = useLoad(
    (signal) => api<{ qrCodeSvg: string }>('GET', `${sharePath(shareId)}/qr-code`, { signal }),
    [shareId],
  )
  const said = useSignal('')
  const copy = async (source: string) => {
    said.value = t((await copyPicture(source, copiedPixels)) ? 'copied' : 'ready.qr_not_copied')
  }
  return (
    <Show loaded={loaded}>
      {({ qrCodeSvg }) => {
        const source = `data:image/svg+xml,${encodeURIComponent(qrCodeSvg)}`
        return (
          <div class="stack-tight">
            <img class="qr" src={source} alt={t('ready.qr_text')} />
            <div class="row">
              {canCopyPictures && (
                <Button icon={icons.copy} onClick={() => copy(source)}>
                  {t('ready.qr_copy')}
                </Button>
              )}
              <ButtonLink href={source} icon={icons.download} download="qr-code.svg">
                {t('ready.qr_download')}
              </ButtonLink>
            </div>
            <p class="hint" role="status">
              {said.value}
            </p>
          </div>
        )
      }}
    </Show>
  )
}

export function Running({ sending }: { readonly sending: Sending }) {
  const { upload, snapshot } = sending
  const { picking, ...zone } = usePicking((files) => void addFiles(sending, files))
  const { files } = snapshot.value
  return (
    <>
      <Progress sending={sending} />
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
function Ended({ share }: { readonly share: Share }) {
  const action = useAction()
  const isElsewhere = useSignal(false)
  if (share.status !== 'draft') {
    return <p role="status">{t(share.protected ? 'ready.complete_locked' : 'ready.complete')}</p>
  }
  return (
    <div class="problem">
      <p>{t(isElsewhere.value ? 'send.elsewhere' : 'ready.interrupted')}</p>
      {action.error !== null && <Problem error={action.error} />}
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
