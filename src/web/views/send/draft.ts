// The share that is being prepared; it stays while other views are open.
import { api, ApiError } from '../../lib/api.ts'
import { withChoice } from '../../lib/choice.ts'
import { browserClock } from '../../lib/clock.ts'
import { copyText } from '../../lib/clipboard.ts'
import { t } from '../../lib/i18n.ts'
import { loadLimits, type Limits } from '../../lib/limits.ts'
import { loadPreferences } from '../../lib/preferences.ts'
import { go, place } from '../../lib/router.ts'
import { savesData } from '../../lib/saves-data.ts'
import { sharePath, type Share, type ShareChange } from '../../lib/share.ts'
import { computed, effect, signal } from '../../lib/signals.ts'
import { nameOf } from '../../lib/tree.ts'
import { sayRemoved } from '../../ui/removal.tsx'
import { toast } from '../../ui/toast.tsx'
import type { FileState, PickedFile } from '../../upload/types.ts'
import * as drafted from './draft-settings.ts'
import { addPicks, dropPicks, picks, refusePicks, titleOf, waitingPicks } from './picks.ts'
import * as uploads from './uploads.ts'

export const sending = signal<uploads.Sending | null>(null)
/** Why the upload could not begin; null after a success. */
export const startError = signal<unknown>(null)
/**
 * Whether sending waits for the user: after Cancel, with a metered connection, or by preference.
 * Null until known.
 */
export const isHeld = signal<boolean | null>(null)
/** Future address of the share; empty before there is a draft. */
let shareUrl = ''
/** Edited while the draft was being made. */
let isUnsaved = false
/** Whether the files in the list are those of a draft that was cancelled. */
let isCancelled = false
/** The last pending change; changes are sent one at a time, so that the newest arrives last. */
let saving: Promise<unknown> = Promise.resolve()
let starting: Promise<void> | null = null
/** Settles when an earlier draft was opened or has failed. */
let continuing: Promise<unknown> = Promise.resolve()
/** End the offers to undo removals. */
const undos: (() => void)[] = []
/** Message of Link ready about the new share or request, until it is left. */
export const justMade = signal<{
  readonly shareId: string
  readonly isCopied: boolean
  readonly password: string | null
  readonly to?: string
} | null>(null)

/** Removed files of which bytes have arrived: kept while the removal can be undone. */
const hidden = signal<ReadonlySet<string>>(new Set())
const isHidden = ({ id }: FileState) => hidden.value.has(id)

/** All selected files, sent or not. */
export const rows = computed<readonly FileState[]>(() => {
  const known = (sending.value?.snapshot.value.files ?? []).filter((file) => !isHidden(file))
  return picks.value.length === 0 ? known : [...known, ...picks.value.map(({ row }) => row)]
})

/** Whether its recipients wait for the rest of it already. */
export const isPublic = signal(false)
/** Size of a continued draft, as it was announced: files that were never begun have no row. */
const announced = signal(0)
/** Bytes of files that have no row. */
export const unlisted = computed(() => {
  const known = sending.value?.snapshot.value.totals.bytes ?? 0
  return Math.max(0, announced.value - known)
})
/** Whether files of a continued draft must be chosen again. */
export const isPartial = computed(
  () => unlisted.value > 0 || rows.value.some(({ state }) => state === 'missing'),
)

effect(() => {
  const { name } = drafted.settings.value
  if (sending.value) sending.value.name.value = name || nameOf(rows.value[0]?.path ?? '')
})

const saveMs = 500
let cancelSave = () => {}

/**
 * Saves the input with the draft, so that it can be continued; the password is not saved.
 * @throws ApiError
 */
export async function saveSettings(): Promise<void> {
  cancelSave()
  isUnsaved = !sending.value
  if (!sending.value) return
  drafted.keepProtected(sending.value.shareId)
  await changeShare(
    sending.value.shareId,
    drafted.changeOf({ ...drafted.settings.value, password: null }),
  )
}

/** The same while a text is being entered, before its field is left. */
export function saveSoon(): void {
  cancelSave()
  cancelSave = browserClock.setTimer(saveMs, () => void saveSettings().catch(() => {}))
}

function changeShare(shareId: string, body: ShareChange): Promise<Share> {
  const change = () => api<Share>('PATCH', sharePath(shareId), { body })
  return (saving = saving.then(change, change))
}

/** Takes selected files, and begins to send them unless that waits for the user. */
export function take(files: readonly PickedFile[]): void {
  const before = rows.value
  addPicks(files)
  const { name } = drafted.settings.value
  const title = titleOf(rows.value)
  // The title of a folder stays with files beside it.
  const isKept = title === '' && before[0]?.path.includes('/')
  if (!drafted.isOwn('name') && !isKept && (before.length === 0 || name === titleOf(before))) {
    drafted.settings.value = { ...drafted.settings.value, name: title }
  }
  void run()
}

/** Makes the draft if necessary, and passes it the files; shows errors. */
export function start(): Promise<void> {
  isHeld.value = false
  return run()
}

function run(): Promise<void> {
  starting ??= begin()
    .catch((error: unknown) => {
      startError.value = error
    })
    .finally(() => {
      starting = null
    })
  return starting
}

/** Falls back to the service's defaults, and does not send without asking. */
function withoutThem(error: unknown): null {
  if (error instanceof ApiError && error.status === 0) throw error
  return null
}

async function begin(): Promise<void> {
  startError.value = null
  // Files selected while an earlier draft is being opened belong to that one.
  const loading = loadPreferences().catch(withoutThem)
  const [limits, preferences] = await Promise.all([loadLimits(), loading, continuing])
  drafted.applyDefaults(limits, preferences)
  isHeld.value ??= savesData() || !preferences?.startsRightAway
  for (;;) {
    refusePicks(limits)
    const ready = isHeld.value ? [] : waitingPicks()
    if (ready.length === 0) return checkSize(limits)
    const current = sending.value ?? (await beginDraft())
    if (sending.value !== current) sending.value = current
    // A failure is reported when the share is sent.
    if (isUnsaved) void saveSettings().catch(() => {})
    // Those that were removed meanwhile are not among them.
    const ids = new Set(ready)
    const given = picks.value.filter((pick) => ids.has(pick))
    dropPicks(given)
    await give(
      current,
      given.map(({ picked }) => picked),
    )
  }
}

async function beginDraft(): Promise<uploads.Sending> {
  const begun = await uploads.beginSending(async () => {
    const made = await api<{ shareId: string; uploadToken: string; shareUrl: string }>(
      'POST',
      '/api/shares/init',
      // Everything, including defaults, so that a continued draft has the displayed values.
      { body: drafted.changeOf({ ...drafted.settings.value, password: null }) },
    )
    shareUrl = made.shareUrl
    return made
  }, '/')
  uploads.announceSize(begun)
  return begun
}

/** Tells which files were renamed because their path was taken. */
async function give(current: uploads.Sending, files: readonly PickedFile[]): Promise<void> {
  const { upload } = current
  await uploads.addFiles(current, files)
  const given = new Map(files.map(({ file, path }) => [file, path]))
  const renamed = upload.snapshot().files.filter(({ source, path, state }) => {
    const wanted = source && given.get(source)
    return wanted && wanted !== path && state !== 'skipped' && / \(\d+\)(\.|$)/.test(path)
  })
  if (renamed.length === 0) return
  toast(t('send.kept_both', { n: renamed.length, name: nameOf(renamed[0]!.path) }))
}

/** Bytes above the size limit of a share; 0 when all fit. */
export const excess = signal(0)

/** Holds back files above the limit until some are removed. */
function checkSize({ maxShareSize }: Limits): void {
  if (maxShareSize === 0) return
  const current = sending.value?.upload
  const now = current?.snapshot()
  const was = excess.value
  const gone = (now?.files ?? []).filter(isHidden).reduce((sum, { size }) => sum + size, 0)
  const all = (now?.totals.bytes ?? 0) - gone
  const bytes = waitingPicks().reduce((sum, { row }) => sum + row.size, all)
  excess.value = Math.max(0, bytes - maxShareSize)
  if (excess.value > 0) current?.pause()
  else if (was > 0 && now?.phase === 'paused') current?.resume()
}

/** Removes files from the list. For ten seconds they can be restored, and are not sent again. */
export function removeRows(removed: readonly FileState[]): void {
  const upload = sending.value?.upload
  const kept = removed.filter(({ state }) => state === 'sending' || state === 'done')
  const gone = removed.filter((file) => !kept.includes(file))
  const ids = new Set(gone.map(({ id }) => id))
  const sources = new Set(gone.map(({ source }) => source))
  const dropped = picks.value.filter(({ row }) => ids.has(row.id))
  const known = upload?.selection().filter(({ file }) => sources.has(file)) ?? []
  const bytes = removed.reduce((sum, { size, state }) => sum + (state === 'skipped' ? 0 : size), 0)
  announced.value -= bytes
  dropPicks(dropped)
  for (const id of ids) upload?.remove(id)
  hide(kept, true)
  const isRestored = ({ row }: (typeof dropped)[number]) => row.state !== 'skipped'
  const restored = [...known, ...dropped.filter(isRestored).map(({ picked }) => picked)]
  if (kept.length + restored.length === 0) return
  const onUndo = () => {
    announced.value += bytes
    hide(kept, false)
    if (restored.length > 0) take(restored)
  }
  const onGone = () => {
    for (const { id } of kept) upload?.remove(id)
    hide(kept, false)
    // The next share has other recipients and another message.
    if (isCancelled && !sending.value && rows.value.length === 0) leaveDraft()
  }
  undos.push(toast(sayRemoved(removed), { onUndo, onGone }))
}

function hide(files: readonly FileState[], isGone: boolean): void {
  const ids = files.map(({ id }) => id)
  hidden.value = withChoice(hidden.value, ids, isGone)
  // Without limits no file was held back.
  loadLimits().then(checkSize, () => {})
}

/** Ends the time for undo. */
function finishRemovals(): void {
  for (const end of undos.splice(0)) end()
}

/** Ends the upload and deletes the draft. The selected files stay in the list. */
export async function cancelDraft(): Promise<void> {
  const current = sending.value
  if (!current) return
  finishRemovals()
  await uploads.cancelSending(current, sharePath(current.shareId))
  const chosen = uploads.chosenFor(current)
  dropDraft()
  isCancelled = true
  isHeld.value = true
  // Without files here, as of a draft from another device, nothing is left to send.
  if (chosen.length > 0) take(chosen)
  else leaveDraft()
}

/** Starts an empty draft: removed files of the old one cannot be restored there. */
function leaveDraft(): void {
  finishRemovals()
  cancelSave()
  dropDraft()
  picks.value = []
  isCancelled = false
  isHeld.value = null
  drafted.resetSettings()
}

function dropDraft(): void {
  sending.value = null
  announced.value = 0
  isPublic.value = false
  excess.value = 0
  shareUrl = ''
}

/** Drops a draft that was deleted elsewhere; its files are sent to a new one. */
export function startOver(): void {
  const current = sending.value
  if (!current) return
  finishRemovals()
  const chosen = uploads.chosenFor(current)
  uploads.stopSending(current)
  dropDraft()
  take(chosen)
}

/**
 * Publishes the draft with its settings and copies its link, however much was sent: the rest
 * follows, and completes it.
 * @throws ApiError
 */
export async function publish(): Promise<void> {
  const { slug, password, audience } = drafted.settings.value
  // Named people have links of their own.
  const isPublic = audience === 'anyone'
  // During the click, because browsers may refuse it later.
  let isCopied = isPublic && shareUrl !== '' && slug === '' && (await copyText(shareUrl))
  finishRemovals()
  await start()
  const current = sending.value
  if (!current) return
  const { shareId, upload } = current
  const expectedBytes = upload.snapshot().totals.bytes
  const body: ShareChange = {
    ...drafted.changeOf(drafted.settings.value),
    published: true,
    expectedBytes,
  }
  const share = await changeShare(shareId, body)
  isCopied ||= isPublic && (await copyText(share.url))
  drafted.keepChosen()
  void upload.complete()
  const address = readyAddress(shareId)
  current.address.value = address
  justMade.value = { shareId, isCopied, password }
  leaveDraft()
  go(address)
}

/**
 * Publishes a continued draft without the files that were not chosen again.
 * @throws ApiError
 */
export async function publishReceived(): Promise<void> {
  for (const { id, state } of rows.value) {
    if (state === 'missing') sending.value?.upload.remove(id)
  }
  await publish()
}

const readyAddress = (shareId: string) => `/shares/${encodeURIComponent(shareId)}?new`

/**
 * Completes a draft with all that the service has, whichever device has sent it, and copies its
 * link.
 * @throws ApiError
 */
export async function completeReceived({
  id,
  url,
  audience,
}: Pick<Share, 'id' | 'url' | 'audience'>): Promise<void> {
  // During the click, because browsers may refuse it later. Named people have links of their own.
  const isCopied = audience === 'anyone' && (await copyText(url))
  await api('POST', `${sharePath(id)}/finalize`, { body: { files: 'received' } })
  justMade.value = { shareId: id, isCopied, password: null }
  go(readyAddress(id))
}

/**
 * Continues an upload of an earlier visit: here, or at its link if that is already public. Without
 * a record of it in this browser, the service's list shows what has arrived.
 * @returns false while another tab sends it
 * @throws ApiError
 */
export function continueDraft(shareId: string): Promise<boolean> {
  const opening = openDraft(shareId)
  continuing = opening.catch(() => {})
  return opening
}

async function openDraft(shareId: string): Promise<boolean> {
  // Files that are selected from here on belong to this draft.
  const isOtherOpen = rows.value.length > 0
  const share = await api<Share>('GET', sharePath(shareId))
  const records = await uploads.listUnfinished()
  const isOurs = (target: uploads.ShareTarget) => target.shareId === shareId
  const kept = records.find(({ target }) => isOurs(target as uploads.ShareTarget)) ?? null
  const isAddition = share.status !== 'draft'
  const target = (kept?.target ??
    uploads.targetOf({ shareId, uploadToken: null })) as uploads.ShareTarget
  const record = isAddition ? kept : await uploads.recordReceived(target, kept)
  const bytes = record?.files.reduce((sum, { size }) => sum + size, 0) ?? 0
  const isKnown = kept !== null || (bytes > 0 && bytes === share.expectedBytes)
  // Files that were never begun are known to the user alone, who decides about them in Send.
  const isAtLink = share.published && (isKnown || isAddition)
  const other = sending.value
  if (!isAtLink && other?.shareId !== shareId) {
    if (isOtherOpen) {
      go(`/?continue=${encodeURIComponent(shareId)}`)
      return true
    }
    // All files of the other one were removed.
    finishRemovals()
    if (other) {
      // One with a link, or with files of another device, is only left.
      if (isPublic.value || unlisted.value > 0) uploads.stopSending(other)
      else await uploads.cancelSending(other, sharePath(other.shareId))
      dropDraft()
    }
  }
  const ready = isAddition ? `/shares/${shareId}` : readyAddress(shareId)
  const address = isAtLink ? ready : '/'
  const found = await uploads.continueSending(target, address, record)
  if (!found) return false
  found.name.value = share.name || nameOf(record?.files[0]?.path ?? '')
  if (!isAddition)
    uploads.announceSize(found, () => (sending.value === found ? announced.value : 0))
  if (isAtLink) {
    if (isAddition) uploads.completeAdditions(found)
    else void found.upload.complete()
    go(address)
  } else {
    shareUrl = share.slug === '' ? share.url : ''
    drafted.takeSettings(share)
    isHeld.value = false
    announced.value = share.expectedBytes
    isPublic.value = share.published
    sending.value = found
    if (place.value.path !== '/') go('/')
  }
  return true
}
