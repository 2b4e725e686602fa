import { browserClock } from '../lib/clock.ts'
import { t } from '../lib/i18n.ts'
import { signal, useSignal } from '../lib/signals.ts'
import { collectHandles, type Handle } from '../upload/handles.ts'
import type { PickedFile } from '../upload/types.ts'
import { collectDropped, collectPicked, type Collected } from '../upload/walk.ts'

interface Picking {
  /** Number of entries read so far; null when nothing is being read. */
  readonly seen: number | null
  /** Refused paths. */
  readonly refused: readonly string[]
  readonly emptyFolders: readonly string[]
}

/** Whether files are being read in any view: an upload that ends now would miss them. */
export const isReading = signal(false)
let readings = 0
/** Maximum time without letting the page respond. */
const pauseEveryMs = 30
/** After this time the progress of reading is shown. */
const silentMs = 300
const nothing: Picking = { seen: null, refused: [], emptyFolders: [] }
/** Maximum number of refused names in the list. */
const namedMax = 10

/** Reads the files and folders of a drop zone, and passes them on. */
export function usePicking(onPicked: (files: readonly PickedFile[]) => void | Promise<void>) {
  const picking = useSignal(nothing)
  const pausing = () => {
    let last = browserClock.now()
    return async (seen: number) => {
      if (browserClock.now() - last < pauseEveryMs) return
      picking.value = { ...picking.value, seen }
      await new Promise<void>((resolve) => void browserClock.setTimer(0, resolve))
      last = browserClock.now()
    }
  }
  const take = async (collecting: Promise<Collected>) => {
    readings += 1
    isReading.value = true
    const cancel = browserClock.setTimer(silentMs, () => {
      picking.value = { ...picking.value, seen: picking.value.seen ?? 0 }
    })
    try {
      const { files, problems, emptyFolders } = await collecting
      picking.value = { seen: null, refused: problems.map(({ path }) => path), emptyFolders }
      if (files.length > 0) await onPicked(files)
    } finally {
      cancel()
      readings -= 1
      isReading.value = readings > 0
    }
  }
  return {
    picking: picking.value,
    onFiles: (files: readonly File[]) => void take(collectPicked(files, pausing())),
    onHandles: (handles: readonly Handle[]) => void take(collectHandles(handles, pausing())),
    onDrop: (items: DataTransferItemList) => void take(collectDropped(items, pausing())),
  }
}

/** Shows progress while reading a folder, and files that cannot be sent. */
export function PickingNotes({ picking }: { readonly picking: Picking }) {
  const { seen, refused, emptyFolders } = picking
  return (
    <>
      <div role="status">{seen !== null && <p>{t('picking.seen', { n: seen })}</p>}</div>
      <Names text={t('picking.refused', { n: refused.length })} paths={refused} />
      <Names text={t('picking.empty', { n: emptyFolders.length })} paths={emptyFolders} />
    </>
  )
}

function Names({ text, paths }: { readonly text: string; readonly paths: readonly string[] }) {
  if (paths.length === 0) return null
  return (
    <div class="notice" role="alert">
      <p>{text}</p>
      <ul>
        {paths.slice(0, namedMax).map((path) => (
          <li key={path}>
            <bdi>{path}</bdi>
          </li>
        ))}
        {paths.length > namedMax && <li>…</li>}
      </ul>
    </div>
  )
}
