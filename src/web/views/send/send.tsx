import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { ApiError } from '../../lib/api.ts'
import { branding } from '../../lib/branding.ts'
import { browserClock } from '../../lib/clock.ts'
import { formatBytes } from '../../lib/format.ts'
import { sayExpiry } from '../../lib/expiry.ts'
import { t } from '../../lib/i18n.ts'
import { loadLimits, type Limits } from '../../lib/limits.ts'
import { sendsEmail } from '../../lib/page-data.ts'
import { isAddress, readRecipients } from '../../lib/recipients.ts'
import { query } from '../../lib/router.ts'
import { nameOf } from '../../lib/tree.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { DropZone } from '../../ui/drop-zone.tsx'
import { FileRows, isCounted } from '../../ui/file-rows.tsx'
import { Heading } from '../../ui/heading.tsx'
import * as icons from '../../ui/icons.ts'
import { isReading, PickingNotes, usePicking } from '../../ui/picking.tsx'
import { Problem, Show, useAction, useLoad } from '../../ui/state.tsx'
import * as draft from './draft.ts'
import { Progress } from './progress.tsx'
import { settings } from './draft-settings.ts'
import type { Settings } from './settings.tsx'

/** Loaded last, because most visits leave nothing unfinished. */
function LeftBehind() {
  const { data, error, reload } = useLoad(() => import('../soon.ts'), [])
  if (error !== null) return <Problem error={error} onRetry={reload} />
  return data && <data.Unfinished />
}

const loadRest = () => import('../manage.ts')

/** Most often loaded by then. */
function LateSettings(props: Parameters<typeof Settings>[0]) {
  const loaded = useLoad(loadRest, [])
  return (
    <Show loaded={loaded}>
      {(rest) => (
        <>
          <rest.Settings {...props} />
        </>
      )}
    </Show>
  )
}

function LateStrip() {
  const { data: rest } = useLoad(loadRest, [])
  return rest && <rest.Strip files={draft.rows.value} />
}

/** The Send view. */
export function Send() {
  const { data: limits } = useLoad(loadLimits, [])
  const { picking, ...zone } = usePicking(draft.take)
  const action = useAction()
  const isEmpty = draft.rows.value.length === 0
  const isTaken = action.error instanceof ApiError && action.error.code === 'slug_taken'
  const form = useRef<HTMLFormElement>(null)
  // Read out together with the error.
  useEffect(() => {
    if (isTaken) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [action.error])
  // Loaded before it is needed, but after the first view.
  useEffect(() => {
    const load = async () => {
      const { receiveShared, texts } = await loadRest()
      await texts
      await receiveShared(zone.onFiles)
    }
    return browserClock.setTimer(query('shared') ? 0 : 1000, () => void load().catch(() => {}))
  }, [])
  return (
    <div class="transfer stack">
      <Heading title={t('send.title')} />
      {isEmpty && branding.welcomeText && <p class="text">{branding.welcomeText}</p>}
      <form
        ref={form}
        class="stack"
        onSubmit={action.onSubmit(draft.publish)}
        // A failure is reported when the share is sent.
        onChange={() => void draft.saveSettings().catch(() => {})}
      >
        <div class="stack">
          {isEmpty && <LeftBehind />}
          {!isEmpty && query('continue') && (
            <p class="notice" role="alert">
              {t('send.other_open')}
            </p>
          )}
          {!isEmpty && <Totals />}
          {!isEmpty && <LateStrip />}
          <DropZone {...zone} isSmall={!isEmpty}>
            {/* Keeps its line while it is not known. */}
            {isEmpty && (
              <p key={limits ? 'known' : 'awaited'} class="hint">
                {limits ? sayTerms(limits) : '\u00a0'}
              </p>
            )}
          </DropZone>
          <PickingNotes picking={picking} />
          {!isEmpty && <Chosen />}
        </div>
        {!isEmpty && (
          <>
            <LateSettings
              limits={limits}
              slugProblem={isTaken ? t('send.slug_taken') : undefined}
            />
            <div class="foot stack-tight">
              {!isTaken && <Problem error={action.error} />}
              <GetLink isBusy={action.isBusy} />
            </div>
          </>
        )}
      </form>
    </div>
  )
}

/** `Up to 12 GB. Links expire after 7 days.` */
function sayTerms({ maxShareSize, defaultExpirationVal, defaultExpirationUnit }: Limits): string {
  const terms: string[] = []
  if (maxShareSize > 0) terms.push(t('send.limit', { size: formatBytes(maxShareSize) }))
  if (defaultExpirationVal > 0) {
    const time = sayExpiry(`${defaultExpirationVal} ${defaultExpirationUnit}`)
    terms.push(t('send.life', { time }))
  }
  return terms.join(' ')
}

function GetLink({ isBusy }: { readonly isBusy: boolean }) {
  const addresses = readRecipients(settings.value.recipients).filter(isAddress)
  const count = sendsEmail() ? addresses.length : 0
  const isReady = draft.rows.value.some(isCounted)
  return (
    <Button
      kind="primary"
      isWide
      type="submit"
      icon={count > 0 ? icons.mail : icons.link}
      busy={isReading.value || isBusy}
      disabled={!isReady || draft.excess.value > 0}
    >
      {count > 0 ? t('send.send_to', { n: count }) : t('send.get_link')}
    </Button>
  )
}

/** Number and size of the files, their progress, and what they need. */
function Totals() {
  const rows = draft.rows.value
  const counted = rows.filter(isCounted)
  const sending = draft.sending.value
  const error = draft.startError.value
  const isCancelling = useSignal(false)
  return (
    <>
      <div class="row spread">
        <h2>
          {t('files', { n: counted.length })} ·{' '}
          {formatBytes(counted.reduce((bytes, { size }) => bytes + size, 0))}
        </h2>
        {sending && (
          <Button kind="quiet" onClick={() => (isCancelling.value = true)}>
            {t('send.cancel')}
          </Button>
        )}
      </div>
      <Problem error={error} onRetry={() => void draft.start()} />
      {draft.isHeld.value && <p class="notice">{t('send.held')}</p>}
      {draft.excess.value > 0 && <TooLarge />}
      {sending && <Progress sending={sending} onStartOver={draft.startOver} />}
      {isCancelling.value && (
        <Confirm
          title={t('send.cancel_title')}
          action={t('file.clear')}
          keep={t('send.keep')}
          onConfirm={() => draft.cancelDraft(false)}
          other={{ action: t('send.keep_list'), onConfirm: () => draft.cancelDraft(true) }}
          onClose={() => (isCancelling.value = false)}
        >
          <p>{t('send.cancel_text')}</p>
        </Confirm>
      )}
    </>
  )
}

/** The selected files. */
function Chosen() {
  const rows = draft.rows.value
  const sending = draft.sending.value
  return (
    <div class="stack listed">
      <FileRows
        files={rows}
        onRemove={draft.removeRows}
        onRetry={(id) => sending?.upload.retry(id)}
        {...(!sending && { onClear: () => draft.removeRows(rows) })}
      />
    </div>
  )
}

const biggestShown = 3

function TooLarge() {
  const counted = draft.rows.value.filter(isCounted)
  const biggest = counted.toSorted((a, b) => b.size - a.size).slice(0, biggestShown)
  return (
    <div class="problem" role="alert">
      <p>{t('send.biggest', { size: formatBytes(draft.excess.value) })}</p>
      <ul class="rows">
        {biggest.map((row) => (
          <li key={row.id}>
            <span class="main">
              <bdi>{nameOf(row.path)}</bdi> <small class="faint">{formatBytes(row.size)}</small>
            </span>
            <Button kind="quiet" onClick={() => draft.removeRows([row])}>
              {t('remove')}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
