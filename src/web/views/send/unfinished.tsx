import { useEffect } from 'preact/hooks'
import { api, ignoreGone } from '../../lib/api.ts'
import { formatBytes, formatPercent } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { query, setQuery } from '../../lib/router.ts'
import { useSignal } from '../../lib/signals.ts'
import { sharePath, type Share } from '../../lib/share.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { useConfirm } from '../../ui/dialog.tsx'
import { Fold } from '../../ui/fold.tsx'
import * as icons from '../../ui/icons.ts'
import { Problem, useAction, useLoad } from '../../ui/state.tsx'
import type { UploadRecord } from '../../upload/types.ts'
import { nameOfShare, type OwnShare } from '../shares/share-state.tsx'
import { continueDraft } from './draft.ts'
import { forgetUnfinished, listUnfinished, sendings, type ShareTarget } from './uploads.ts'

interface Left {
  readonly record: UploadRecord
  readonly share: OwnShare
  readonly name: string
  readonly bytes: number
  readonly bytesDone: number
}

/** Older ones are in the list of shares. */
const shownMax = 10

/** Uploads that earlier visits did not finish. */
export function Unfinished() {
  const loaded = useLoad(listLeft, [sendings.value.length])
  const discarding = useConfirm(({ record, share, name }: Left) => {
    const text = share.status === 'draft' ? 'send.discard_text' : 'send.discard_added'
    return {
      title: t('send.discard_title'),
      action: t('send.discard'),
      children: <p>{t(text, { name })}</p>,
      onConfirm: async () => {
        await discard(record, share.id)
        loaded.reload()
      },
    }
  })
  const isElsewhere = useSignal(false)
  const action = useAction()
  const goOn = (shareId: string) =>
    void action.run(async () => (isElsewhere.value = !(await continueDraft(shareId))))
  useEffect(() => {
    const wanted = query('continue')
    if (!wanted) return
    setQuery({ continue: '' })
    goOn(wanted)
  }, [])
  const n = loaded.data?.length ?? 0
  return (
    <>
      {n > 0 && (
        <Fold isOpen text={t('send.unfinished', { n })}>
          <ul class="rows">
            {loaded.data!.map((left) => (
              <li key={left.share.id}>
                <div class="main">
                  <bdi>{left.name}</bdi>
                  <p class="faint">{sayLeft(left)}</p>
                </div>
                <div class="row-tight">
                  <Button busy={action.isBusy} onClick={() => goOn(left.share.id)}>
                    {t('send.continue')}
                  </Button>
                  <IconButton
                    icon={icons.trash}
                    label={t('send.discard')}
                    onClick={() => discarding.ask(left)}
                  />
                </div>
              </li>
            ))}
          </ul>
        </Fold>
      )}
      {isElsewhere.value && <p role="alert">{t('send.elsewhere')}</p>}
      <Problem error={action.error} />
      {discarding.dialog}
    </>
  )
}

/** `42 % · 2.1 GB of 5.4 GB`, or that only the link is missing. */
function sayLeft({ share, bytes, bytesDone }: Left): string {
  if (share.all_received && !share.published) return t('send.all_in')
  const amount = t('upload.bytes', { done: formatBytes(bytesDone), all: formatBytes(bytes) })
  return `${formatPercent(bytes > 0 ? bytesDone / bytes : 0)} · ${amount}`
}

async function discard(record: UploadRecord, shareId: string): Promise<void> {
  const path = sharePath(shareId)
  // Another tab may have completed it since: complete shares are never deleted here.
  await api<Share>('GET', path)
    .then(({ status }) => api('DELETE', status === 'draft' ? path : `${path}/additions`))
    .catch(ignoreGone)
  await forgetUnfinished(record)
}

async function listLeft(signal: AbortSignal): Promise<Left[]> {
  const records = (await listUnfinished()).slice(0, shownMax)
  const found = await Promise.all(records.map((record) => describe(record, signal)))
  return found.filter((left) => left !== null)
}

/** Forgets records of shares that were completed or deleted meanwhile. */
async function describe(record: UploadRecord, signal: AbortSignal): Promise<Left | null> {
  const { shareId } = record.target as ShareTarget
  const path = sharePath(shareId)
  try {
    const share = await api<OwnShare>('GET', path, { signal })
    const { chunks } = await api<{ chunks: { bytes: number }[] }>('GET', `${path}/chunks`, {
      signal,
    })
    const bytesDone = chunks.reduce((sum, { bytes }) => sum + bytes, 0)
    const bytes = record.files.reduce((sum, { size }) => sum + size, 0)
    // Only the record knows the files of a draft.
    const drafted = record.files.map(({ path }) => ({ original_name: path }))
    const files = share.status === 'draft' ? drafted : share.files
    const name = nameOfShare({ name: share.name, files })
    return { record, share, name, bytes, bytesDone: Math.min(bytes, bytesDone) }
  } catch (error) {
    ignoreGone(error)
    await forgetUnfinished(record)
    return null
  }
}
