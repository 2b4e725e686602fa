import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { api } from '../../lib/api.ts'
import { deleteLater, isDoomed } from '../../lib/deletion.ts'
import { editable } from '../../lib/editable.ts'
import { formatBytes } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { sendsEmail } from '../../lib/page-data.ts'
import { isAddress, readRecipients } from '../../lib/recipients.ts'
import { sharePath } from '../../lib/share.ts'
import { useSignal } from '../../lib/signals.ts'
import type { Leaf } from '../../lib/tree.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { DropZone, FolderButton } from '../../ui/drop-zone.tsx'
import { useConfirm } from '../../ui/dialog.tsx'
import { Check } from '../../ui/field.tsx'
import * as icons from '../../ui/icons.ts'
import { Menu } from '../../ui/menu.tsx'
import { PickingNotes, usePicking } from '../../ui/picking.tsx'
import { sayRemoved } from '../../ui/removal.tsx'
import { Empty, Problem, useAction } from '../../ui/state.tsx'
import type { PickedFile } from '../../upload/types.ts'
import { RunningFiles } from '../send/link-ready.tsx'
import { Progress } from '../send/progress.tsx'
import { Mailed } from '../send/emails.tsx'
import * as uploads from '../send/uploads.ts'
import { joinRanges } from '../share/shared.ts'
import { FileTree } from './file-tree.tsx'
import { resend } from './share-menu.tsx'
import { isOver, nameOfShare, type OwnShare } from './share-state.tsx'

/** Proxies refuse longer addresses. */
const addressMax = 4000

export function Files(props: { readonly share: OwnShare; readonly onRemoved: () => void }) {
  const { share, onRemoved } = props
  const base = sharePath(share.id)
  const isOpen = share.status === 'complete' && !isOver(share)
  const kept = share.files.filter(({ id }) => !isDoomed(`${base}/files/${id}`))
  // An archive with a damaged file is refused.
  const whole = kept.filter(({ damaged }) => !damaged)
  const bytes = whole.reduce((sum, { size }) => sum + size, 0)
  const chosen = whole.length < kept.length ? `&files=${joinRanges(whole.map(({ id }) => id))}` : ''
  const archive = `${base}/download?as=owner${chosen}`
  const all = t('manage.download_all', { size: formatBytes(bytes) })
  const list = (add?: ComponentChildren, addFolder?: ComponentChildren) => (
    <>
      <FileTree
        files={kept}
        addressOf={(fileId) => `${base}/files/${fileId}?as=owner`}
        onRemove={isOpen ? (files) => remove(base, files, onRemoved) : undefined}
        tools={(begin) => (
          <div class="row spread">
            {add}
            <span class="row-tight">
              {whole.length > 0 && kept.length > 1 && !chosen[addressMax] && (
                <ButtonLink kind="quiet" href={archive} icon={icons.download} label={all} download>
                  <span class="wide-only">{all}</span>
                </ButtonLink>
              )}
              <Menu label={t('manage.more', { name: nameOfShare(share) })}>
                {addFolder}
                <Button kind="quiet" icon={icons.trash} onClick={begin}>
                  {t('file.remove_some')}
                </Button>
              </Menu>
            </span>
          </div>
        )}
      />
      {kept.length === 0 && <Empty text={t('shares.no_files')} />}
    </>
  )
  return isOpen ? <Additions share={share}>{list}</Additions> : list()
}

/** Keeps addresses short. */
const removedAtOnce = 300

function remove(base: string, files: readonly Leaf[], onRemoved: () => void): void {
  const paths: string[] = []
  const hides: string[][] = []
  for (let at = 0; at < files.length; at += removedAtOnce) {
    const ids = files.slice(at, at + removedAtOnce).map(({ id }) => id as number)
    paths.push(`${base}/files?files=${joinRanges(ids)}`)
    hides.push(ids.map((id) => `${base}/files/${id}`))
  }
  // After a failure some may be gone.
  deleteLater({ paths, hides, text: sayRemoved(files), onDone: onRemoved, onKept: onRemoved })
}

interface AdditionsProps {
  readonly share: OwnShare
  /** The list below, with the buttons that add files and a folder to it. */
  readonly children: (add: ComponentChildren, addFolder: ComponentChildren) => ComponentChildren
}

/** Adds files to a complete share; they appear when all have arrived. */
function Additions({ share, children }: AdditionsProps) {
  const sending = uploads.findSending(share.id)
  const action = useAction()
  const telling = useAction()
  const path = `${sharePath(share.id)}/additions`
  const mail = uploads.mailed.value[share.id]
  const waiting = useRef<PickedFile[]>([])
  // Empty without email addresses.
  const n = sendsEmail() ? readRecipients(share.recipients).filter(isAddress).length : 0
  // The outcome was shown by then.
  useEffect(() => () => uploads.noteMail(share.id, undefined), [])
  const begin = async () => {
    uploads.noteMail(share.id, undefined)
    let current = uploads.findSending(share.id)
    if (!current) {
      current = await uploads.beginSending(async () => {
        const { uploadToken } = await api<{ uploadToken: string }>('POST', path, { body: {} })
        return { shareId: share.id, uploadToken }
      }, `/shares/${share.id}`)
      current.name.value = nameOfShare(share)
    }
    // More files may have been selected meanwhile.
    while (waiting.current.length > 0) await uploads.addFiles(current, waiting.current.splice(0))
    uploads.completeAdditions(current)
  }
  const tell = async () => {
    await resend(share)
    uploads.noteMail(share.id, undefined)
  }
  const { picking, ...zone } = usePicking((files) => {
    for (const file of files) waiting.current.push(file)
    void action.run(begin)
  })
  return (
    <div class="stack">
      {sending && <Running {...{ sending, n }} onCancelled={() => (waiting.current = [])} />}
      <PickingNotes picking={picking} />
      <div role="status">
        {mail && mail !== 'added' && (
          <Mailed answer={{ mail, recipients: [share.recipients], ignored: [] }} />
        )}
      </div>
      {mail === 'added' && n > 0 && (
        <div>
          <Button icon={icons.mail} busy={telling.isBusy} onClick={() => telling.run(tell)}>
            {t('shares.notify', { n })}
          </Button>
        </div>
      )}
      <Problem error={telling.error} />
      <Problem
        error={action.error}
        {...(waiting.current.length > 0 && { onRetry: () => void action.run(begin) })}
      />
      {sending
        ? children(null, null)
        : children(
            <DropZone {...zone} look="button" />,
            <FolderButton text={t('drop.add_folder')} {...zone} />,
          )}
    </div>
  )
}

/** The upload, and whether to email its recipients then. */
function Running(props: {
  readonly sending: uploads.Sending
  readonly n: number
  readonly onCancelled: () => void
}) {
  const { sending, n, onCancelled } = props
  const { shareId, upload, name } = sending
  const notifies = useSignal(upload.wishes.notifyRecipients ?? false)
  const cancelling = useConfirm(() => ({
    title: t('send.cancel_title'),
    action: t('send.cancel'),
    keep: t('send.keep'),
    children: <p>{t('send.discard_added', { name: name.value })}</p>,
    async onConfirm() {
      await uploads.cancelSending(sending, `${sharePath(shareId)}/additions`)
      onCancelled()
    },
  }))
  return (
    <>
      <Progress sending={sending} />
      <RunningFiles sending={sending} />
      <div class="row">
        <Button onClick={cancelling.ask}>{t('send.cancel')}</Button>
        {n > 0 && (
          <Check
            label={t('shares.notify', { n })}
            checked={editable(notifies.value, (notifyRecipients) => {
              notifies.value = notifyRecipients
              upload.wishes = { notifyRecipients }
            })}
          />
        )}
        {cancelling.dialog}
      </div>
    </>
  )
}
