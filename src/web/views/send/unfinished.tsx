import { useEffect } from 'preact/hooks'
import { api, ApiError } from '../../lib/api.ts'
import { formatBytes } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { query, setQuery } from '../../lib/router.ts'
import { useSignal } from '../../lib/signals.ts'
import { nameOf } from '../../lib/tree.ts'
import { sharePath, type Share } from '../../lib/share.ts'
import { Button } from '../../ui/button.tsx'
import { useConfirm } from '../../ui/dialog.tsx'
import { Problem, useAction, useLoad } from '../../ui/state.tsx'
import type { UploadRecord } from '../../upload/types.ts'
import { continueDraft } from './draft.ts'
import { forgetUnfinished, listUnfinished, sendings, type ShareTarget } from './uploads.ts'

interface Left {
  readonly record: UploadRecord
  readonly shareId: string
  readonly name: string
  /** Whether files were being added to a complete share, which remains without them. */
  readonly isAddition: boolean
  readonly bytes: number
  readonly bytesDone: number
}

/** Older ones are in the list of shares. */
const shownMax = 3

/** Uploads that earlier visits did not finish. */
export function Unfinished() {
  const loaded = useLoad(listLeft, [sendings.value.length])
  const discarding = useConfirm((left: Left) => {
    const text = left.isAddition ? 'send.discard_added' : 'send.discard_text'
    return {
      title: t('send.discard_title'),
      action: t('send.discard'),
      children: <p>{t(text, { name: left.name })}</p>,
      onConfirm: async () => {
        await discard(left)
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
  return (
    <>
      {loaded.data?.map((left) => (
        <div class="notice row spread" key={left.shareId}>
          <p>{say(left)}</p>
          <div class="row-tight">
            <Button busy={action.isBusy} onClick={() => goOn(left.shareId)}>
              {t('send.continue')}
            </Button>
            <Button kind="quiet" onClick={() => discarding.ask(left)}>
              {t('send.discard')}
            </Button>
          </div>
        </div>
      ))}
      {isElsewhere.value && <p role="alert">{t('send.elsewhere')}</p>}
      <Problem error={action.error} />
      {discarding.dialog}
    </>
  )
}

function say({ name, bytes, bytesDone }: Left): string {
  return t('send.unfinished', { name, done: formatBytes(bytesDone), all: formatBytes(bytes) })
}

async function discard({ record, shareId }: Left): Promise<void> {
  const path = sharePath(shareId)
  try {
    // Another tab may have completed it since: complete shares are never deleted here.
    const { status } = await api<Share>('GET', path)
    await api('DELETE', status === 'draft' ? path : `${path}/additions`)
  } catch (error) {
    ignoreGone(error)
  }
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
    const share = await api<Share>('GET', path, { signal })
    const { chunks } = await api<{ chunks: { bytes: number }[] }>('GET', `${path}/chunks`, {
      signal,
    })
    const bytesDone = chunks.reduce((sum, { bytes }) => sum + bytes, 0)
    const bytes = record.files.reduce((sum, { size }) => sum + size, 0)
    const isAddition = share.status !== 'draft'
    const done = Math.min(bytes, bytesDone)
    const name = share.name || nameOf(record.files[0]?.path ?? '')
    return { record, shareId, name, isAddition, bytes, bytesDone: done }
  } catch (error) {
    ignoreGone(error)
    await forgetUnfinished(record)
    return null
  }
}

const gone = ['not_found', 'already_complete', 'expired']

function ignoreGone(error: unknown): void {
  if (!(error instanceof ApiError && gone.includes(error.code))) throw error
}
