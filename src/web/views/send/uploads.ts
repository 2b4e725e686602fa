// The uploads of this tab. They go on whatever view is open: views look at them, none owns one.
import { computed, effect, signal, type Signal } from '@preact/signals'
import { api, ApiError, noteConnection } from '../../lib/api.ts'
import { browserClock } from '../../lib/clock.ts'
import { showInFavicon } from '../../lib/favicon.ts'
import { formatPercent } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { loadLimits } from '../../lib/limits.ts'
import { place } from '../../lib/router.ts'
import { sharePath } from '../../lib/share.ts'
import { titlePrefix } from '../../ui/heading.tsx'
import { toast } from '../../ui/toast.tsx'
import type { Uploads } from '../../upload/browser.ts'
import type {
  Finalized,
  PickedFile,
  Upload,
  UploadRecord,
  UploadSnapshot,
  UploadTarget,
} from '../../upload/types.ts'

export type ShareTarget = Extract<UploadTarget, { kind: 'share' }>

/** An upload to a share: to a draft, or of files that are added to a complete one. */
export interface Sending {
  readonly shareId: string
  readonly upload: Upload
  /** At most four new ones a second. */
  readonly snapshot: Signal<UploadSnapshot>
  /** What it is called where other views show it. */
  readonly name: Signal<string>
  /** The view that shows it in full. */
  readonly address: Signal<string>
  /** Why nobody could be asked to sign in again; null while all is well. */
  readonly signInError: Signal<unknown>
}

/** Begun in this tab, and neither done nor cancelled; oldest first. */
export const sendings = signal<readonly Sending[]>([])

let loading: Promise<Uploads> | null = null
const batchFiles = 500
/** Files come and go one after the other: only where that ends is told. */
const announceMs = 2000

/** The larger half of the script: it comes while files are being chosen. */
function loadEngine(): Promise<Uploads> {
  loading ??= import('../../upload/browser.ts').then(
    ({ openUploads }) => openUploads(),
    () => {
      loading = null
      throw new ApiError(0, {})
    },
  )
  return loading
}

export function findSending(shareId: string): Sending | undefined {
  return sendings.value.find((sending) => sending.shareId === shareId)
}

/**
 * Begins to send to a draft, or to additions, that was just made.
 * @throws ApiError
 */
export async function beginSending(target: ShareTarget, address: string): Promise<Sending> {
  const [uploads, limits] = await Promise.all([loadEngine(), readLimits()])
  return follow(target, address, (onChange) => uploads.begin({ target, limits, onChange }))
}

/**
 * Goes on with what an earlier page has begun. Where the browser knows where the files are, it asks
 * for them, soon after a click; else they have to be chosen once more.
 * @param record what is kept of it in this browser, if anything is
 * @returns null while another tab sends it
 * @throws ApiError
 */
export async function continueSending(
  target: ShareTarget,
  address: string,
  record: UploadRecord | null,
): Promise<Sending | null> {
  const running = findSending(target.shareId)
  if (running) return running
  const [uploads, limits] = await Promise.all([loadEngine(), readLimits()])
  let changed = () => {}
  const options = { target, limits, onChange: () => changed() }
  const upload = await uploads.resume(options, record)
  if (!upload) return null
  const sending = follow(target, address, (onChange) => {
    changed = onChange
    return upload
  })
  const files = record ? await uploads.reopen(record) : []
  if (files.length > 0) await addFiles(sending, files)
  return sending
}

/**
 * Tells the service how much a draft will have, whenever that has changed: visitors and other
 * devices see how far it is.
 */
export function announceSize({ shareId, snapshot }: Sending): void {
  const bytes = computed(() => snapshot.value.totals.bytes)
  let cancel = () => {}
  effect(() => {
    const expectedBytes = bytes.value
    cancel()
    if (expectedBytes === 0) return
    cancel = browserClock.setTimer(announceMs, () => {
      if (!findSending(shareId)) return
      // Only the percent is missing without it.
      api('PATCH', sharePath(shareId), { body: { expectedBytes } }).catch(() => {})
    })
  })
}

/** Thousands at once would hold the page up. */
export async function addFiles({ upload }: Sending, files: readonly PickedFile[]): Promise<void> {
  for (let at = 0; at < files.length; at += batchFiles) {
    upload.add(files.slice(at, at + batchFiles))
    if (at + batchFiles < files.length) await new Promise((resolve) => setTimeout(resolve))
  }
  // New files are the answer to a hold for files.
  if (upload.snapshot().phase === 'held') upload.resume()
}

/** What came of the mail about files that were added, by share: kept until somebody has seen it. */
export const mailed = signal<Readonly<Record<string, Finalized['mail']>>>({})

export function noteMail(shareId: string, mail: Finalized['mail']): void {
  mailed.value = { ...mailed.value, [shareId]: mail }
}

/** Makes additions part of their share once all of them are there. */
export function completeAdditions({ shareId, upload }: Sending): void {
  // What went wrong is said by its snapshot.
  upload.complete().then(
    ({ mail }) => noteMail(shareId, mail),
    () => {},
  )
}

/** What earlier visits have not finished, newest first; not what this tab is sending. */
export async function listUnfinished(): Promise<UploadRecord[]> {
  const records = await (await loadEngine()).unfinished()
  return records.filter(({ target, files }) => {
    return target.kind === 'share' && files.length > 0 && !findSending(target.shareId)
  })
}

export async function forgetUnfinished(record: UploadRecord): Promise<void> {
  await (await loadEngine()).forget(record)
}

/**
 * Deletes what was begun, a draft or additions, and stops; goes on when that did not work.
 * @param path of the API
 * @throws ApiError
 */
export async function cancelSending(sending: Sending, path: string): Promise<void> {
  const { upload } = sending
  const wasPaused = upload.snapshot().phase === 'paused'
  upload.pause()
  try {
    await api('DELETE', path)
  } catch (error) {
    if (!wasPaused) upload.resume()
    throw error
  }
  stopSending(sending)
}

/** Stops it for good; the draft, or the additions, are the caller's to delete. */
export function stopSending(sending: Sending): void {
  sending.upload.cancel()
  drop(sending)
}

/** Leaves the list; what was begun stays with the service. */
function drop(sending: Sending): void {
  sendings.value = sendings.value.filter((one) => one !== sending)
}

async function readLimits() {
  const { maxChunkSize } = await loadLimits()
  return { chunkBytesMax: maxChunkSize }
}

function follow(
  { shareId }: ShareTarget,
  address: string,
  make: (onChange: () => void) => Upload,
): Sending {
  const upload = make(() => changed(sending))
  const sending: Sending = {
    shareId,
    upload,
    snapshot: signal(upload.snapshot()),
    name: signal(''),
    address: signal(address),
    signInError: signal(null),
  }
  sendings.value = [...sendings.value, sending]
  return sending
}

const ofTheLine = new Set(['network', 'stalled'])

function changed(sending: Sending): void {
  const { upload, snapshot } = sending
  const next = upload.snapshot()
  const before = snapshot.value
  snapshot.value = next
  const { phase, hold, problem, totals } = next
  // A request that hangs says nothing yet; one that was answered does.
  const isAnswered = before.problem !== null || totals.filesDone > before.totals.filesDone
  if (phase === 'waiting' && problem && ofTheLine.has(problem.code)) noteConnection(false)
  else if (problem === null && isAnswered) noteConnection(true)
  if (hold === 'sign_in' && before.hold !== 'sign_in') void signInAgain(sending)
  // Told once, however often the engine tells.
  if (phase !== 'done' || before.phase === 'done') return
  drop(sending)
  if (!isShown(sending)) toast(t('send.uploaded', { name: sending.name.value }))
}

/** Whether the view that is open shows it in full. */
export function isShown({ address }: Sending): boolean {
  const [path, query = ''] = address.value.split('?')
  return path === place.value.path && place.value.search.includes(query)
}

/** The question comes up by itself: any request without a login asks it. */
async function signInAgain({ upload, signInError }: Sending): Promise<void> {
  signInError.value = null
  try {
    await api('GET', '/api/account')
    upload.resume()
  } catch (error) {
    signInError.value = error
  }
}

/** Of all that is being sent, 0 to 100; null while nothing is. */
const percent = computed(() => {
  const moving = sendings.value
    .map(({ snapshot }) => snapshot.value)
    .filter(({ phase }) => ['sending', 'waiting', 'finishing', 'paused'].includes(phase))
  if (moving.length === 0) return null
  const sum = (name: 'bytes' | 'bytesDone') =>
    moving.reduce((bytes, { totals }) => bytes + totals[name], 0)
  return Math.min(99, Math.floor((100 * sum('bytesDone')) / Math.max(1, sum('bytes'))))
})

effect(() => {
  titlePrefix.value = percent.value === null ? '' : `${formatPercent(percent.value / 100)} · `
  showInFavicon(percent.value)
})
