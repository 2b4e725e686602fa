import { api, ApiError, noteConnection } from '../../lib/api.ts'
import { browserClock } from '../../lib/clock.ts'
import { formatPercent } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { loadLimits } from '../../lib/limits.ts'
import { place } from '../../lib/router.ts'
import { me } from '../../lib/session.ts'
import { sharePath } from '../../lib/share.ts'
import { computed, effect, signal, type Signal } from '../../lib/signals.ts'
import { titlePrefix } from '../../ui/heading.tsx'
import { toast } from '../../ui/toast.tsx'
import type { Uploads } from '../../upload/browser.ts'
import type { Upload } from '../../upload/engine.ts'
import type * as types from '../../upload/types.ts'

// The uploads of this tab. They continue in every view: views show them, but do not own them.

export type ShareTarget = Extract<types.UploadTarget, { kind: 'share' }>
type Made = Pick<ShareTarget, 'shareId' | 'uploadToken'>

/** An upload to a draft, or of files added to a complete share. */
export interface Sending {
  readonly shareId: string
  readonly upload: Upload
  /** Files that are about to be added to it. */
  readonly waiting: types.PickedFile[]
  /** Updated at most four times a second. */
  readonly snapshot: Signal<types.UploadSnapshot>
  /** Its name in other views. */
  readonly name: Signal<string>
  /** Address of the view with its details. */
  readonly address: Signal<string>
  /** Why signing in again could not be offered; null without an error. */
  readonly signInError: Signal<unknown>
}

/** Uploads of this tab that are neither done nor cancelled; oldest first. */
export const sendings = signal<readonly Sending[]>([])
/** The last one of this tab that is done. */
export let ended: Sending | undefined

let loading: Promise<Uploads> | null = null
const batchFiles = 500
/** Files are added and removed one by one: only the final size is announced. */
const announceMs = 2000

/** The larger half of the script, loaded while files are being selected. */
function loadEngine(): Promise<Uploads> {
  loading ??= import('../../upload/browser.ts').then(
    (engine) => new engine.Uploads(),
    () => {
      loading = null
      throw new ApiError(0, {})
    },
  )
  return loading
}

export function targetOf({ shareId, uploadToken }: Made): ShareTarget {
  return { kind: 'share', shareId, uploadToken, userId: me.value!.id }
}

export function findSending(shareId: string): Sending | undefined {
  return sendings.value.find((sending) => sending.shareId === shareId)
}

/**
 * Begins to send to a new draft, or to new additions.
 * @param make makes them at the service, when all else is loaded
 * @throws ApiError
 */
export async function beginSending(make: () => Promise<Made>, address: string): Promise<Sending> {
  const [uploads, limits] = await Promise.all([loadEngine(), readLimits()])
  const target = targetOf(await make())
  return follow(target, address, (onChange) => uploads.begin({ target, limits, onChange }))
}

/**
 * A record of a draft with all that it has.
 * @param kept record in this browser, if any
 * @throws ApiError
 */
export async function recordReceived(target: ShareTarget, kept: types.UploadRecord | null) {
  const list = api('GET', `${sharePath(target.shareId)}/chunks?names=true`)
  return (await loadEngine()).received(target, await list, kept)
}

/**
 * Continues an upload of an earlier page. If the browser has handles of the files it asks for
 * permission, soon after a click; otherwise they must be selected again.
 * @param record record in this browser, if any
 * @returns null while another tab sends it
 * @throws ApiError
 */
export async function continueSending(
  target: ShareTarget,
  address: string,
  record: types.UploadRecord | null,
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
 * Announces the size of a draft after each change, so that recipients and other devices see its
 * progress.
 * @param bytesMin what was announced before; read in an effect
 */
export function announceSize({ shareId, snapshot }: Sending, bytesMin = () => 0): void {
  const bytes = computed(() => snapshot.value.totals.bytes)
  let cancel = () => {}
  effect(() => {
    const expectedBytes = Math.max(bytes.value, bytesMin())
    cancel()
    if (expectedBytes === 0) return
    cancel = browserClock.setTimer(announceMs, () => {
      if (!findSending(shareId)) return
      // Without it only the percentage is missing.
      api('PATCH', sharePath(shareId), { body: { expectedBytes } }).catch(() => {})
    })
  })
}

/** In steps, because thousands at once would block the page; until it is cancelled. */
export async function addFiles(sending: Sending, files: readonly types.PickedFile[]) {
  const { upload, waiting } = sending
  for (const file of files) waiting.push(file)
  while (waiting.length > 0 && sendings.value.includes(sending)) {
    upload.add(waiting.splice(0, batchFiles))
    if (waiting.length > 0) await new Promise((resolve) => setTimeout(resolve))
  }
  // New files resolve a hold for files.
  if (upload.snapshot().phase === 'held') upload.resume()
}

/** Its readable files, for a new start elsewhere. */
export const chosenFor = ({ upload, waiting }: Sending) => [...upload.selection(), ...waiting]

/** Whether the service has all of its files, of which it has some. */
export const isAllIn = ({ totals }: types.UploadSnapshot) =>
  totals.files > 0 && totals.filesDone === totals.files

/** What became of the email about added files, by share; `added` without one. Kept until shown. */
export const mailed = signal<Readonly<Record<string, string | undefined>>>({})

export function noteMail(shareId: string, mail?: string): void {
  mailed.value = { ...mailed.value, [shareId]: mail }
}

/** Finalizes additions when all of them have arrived. */
export function completeAdditions({ shareId, upload }: Sending): void {
  // Its snapshot has the error.
  upload.complete().then(
    ({ mail }) => noteMail(shareId, mail ?? 'added'),
    () => {},
  )
}

/** Unfinished uploads of this user's earlier visits, newest first, except those of this tab. */
export async function listUnfinished(): Promise<types.UploadRecord[]> {
  const records = await (await loadEngine()).unfinished()
  return records.filter(({ target, files }) => {
    if (target.kind !== 'share' || files.length === 0) return false
    // Records of earlier versions do not say it.
    return (target.userId ?? me.value!.id) === me.value!.id && !findSending(target.shareId)
  })
}

export async function forgetUnfinished(record: types.UploadRecord): Promise<void> {
  await (await loadEngine()).forget(record)
}

/**
 * Deletes a draft or additions and stops the upload; continues it if deleting fails.
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

/** Stops it for good; the caller deletes the draft or the additions. */
export function stopSending(sending: Sending): void {
  sending.upload.cancel()
  drop(sending)
}

/** Removes it from the list; its chunks stay with the service. */
function drop(sending: Sending): void {
  sendings.value = sendings.value.filter((one) => one !== sending)
}

async function readLimits() {
  const { maxChunkSize } = await loadLimits()
  return { chunkBytesMax: maxChunkSize }
}

function follow({ shareId }: ShareTarget, address: string, make: (onChange: () => void) => Upload) {
  const upload = make(() => changed(sending))
  const sending: Sending = {
    shareId,
    upload,
    waiting: [],
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
  const isMoving = totals.bytesDone > before.totals.bytesDone
  const isLost = phase === 'waiting' && problem !== null && ofTheLine.has(problem.code)
  // The card of an upload says it itself.
  if (isLost && !isShown(sending)) noteConnection(false)
  // A large chunk is answered long after the line is back.
  else if (!isLost && (isMoving || (problem === null && before.problem !== null))) {
    noteConnection(true)
  }
  if (hold === 'sign_in' && before.hold !== 'sign_in') void signInAgain(sending)
  // Reported once, however often the engine repeats it.
  if (phase !== 'done' || before.phase === 'done') return
  ended = sending
  drop(sending)
  if (!isShown(sending)) toast(t('send.uploaded', { name: sending.name.value }))
}

/** Whether the open view shows its details. */
export function isShown({ address }: Sending): boolean {
  const [path, query = ''] = address.value.split('?')
  return path === place.value.path && place.value.search.includes(query)
}

/** The dialog appears automatically: any request without a session opens it. */
async function signInAgain({ upload, signInError }: Sending): Promise<void> {
  signInError.value = null
  try {
    await api('GET', '/api/account')
    upload.resume()
  } catch (error) {
    signInError.value = error
  }
}

/** Over all uploads, 0 to 100; null without any. */
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

/**
 * Shows the progress of uploads in the page's icon.
 * @param percent 0 to 100; null for the normal icon
 */
function showInFavicon(percent: number | null): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (!link) return
  link.dataset['own'] ??= link.href
  link.href = percent === null ? link.dataset['own'] : drawRing(percent)
}

function drawRing(percent: number): string {
  const circle = (more: string) =>
    `<circle cx="16" cy="16" r="12" fill="none" stroke-width="7" ${more}/>`
  const dash = `pathLength="100" stroke-dasharray="${percent} 100"`
  // Readable on light and on dark tabs.
  const rings =
    circle('stroke="#9ab"') + circle(`stroke="#1d5fc4" ${dash} transform="rotate(-90 16 16)"`)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${rings}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
