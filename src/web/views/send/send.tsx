import { useEffect, useRef } from 'preact/hooks'
import { ApiError } from '../../lib/api.ts'
import { branding } from '../../lib/branding.ts'
import { formatBytes } from '../../lib/format.ts'
import { sayExpiry } from '../../lib/expiry.ts'
import { language, t } from '../../lib/i18n.ts'
import { loadLimits, type Limits } from '../../lib/limits.ts'
import { sendsEmail } from '../../lib/page-data.ts'
import { isAddress, readRecipients } from '../../lib/recipients.ts'
import { query } from '../../lib/router.ts'
import { nameOf } from '../../lib/tree.ts'
import { Button } from '../../ui/button.tsx'
import { useConfirm } from '../../ui/dialog.tsx'
import { DropZone, FolderButton } from '../../ui/drop-zone.tsx'
import { FileIcon } from '../../ui/file-icon.tsx'
import { FileFold, FileRows, isCounted } from '../../ui/file-rows.tsx'
import { Heading, titleMax } from '../../ui/heading.tsx'
import { Icon } from '../../ui/icon.tsx'
import * as icons from '../../ui/icons.ts'
import { isReading, PickingNotes, usePicking } from '../../ui/picking.tsx'
import { fewFiles } from '../../ui/removal.tsx'
import { Problem, useAction, useLoad } from '../../ui/state.tsx'
import type { FileState } from '../../upload/types.ts'
import { loadRest } from '../rest.ts'
import * as draft from './draft.ts'
import { PickAgain, Progress } from './progress.tsx'
import { changeSettings, settings } from './draft-settings.ts'

type Zone = Omit<ReturnType<typeof usePicking>, 'picking'>

/** The Send view: one card, which is the drop zone until it has files. */
export function Send() {
  const { data: limits } = useLoad(loadLimits, [])
  const { picking, ...zone } = usePicking(draft.take)
  const action = useAction()
  const isEmpty = draft.rows.value.length === 0 && !draft.isPartial.value
  const isTaken = action.error instanceof ApiError && action.error.code === 'slug_taken'
  const form = useRef<HTMLFormElement>(null)
  // Most often loaded by the time that files are chosen.
  const loaded = useLoad(loadRest, [])
  const rest = loaded.data
  // Read out together with the error.
  useEffect(() => {
    if (isTaken) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [action.error])
  useEffect(() => {
    void rest?.receiveShared(zone.onFiles).catch(() => {})
  }, [rest])
  return (
    <form
      ref={form}
      class={isEmpty ? 'transfer stack empty-card' : 'transfer stack'}
      onSubmit={action.onSubmit(draft.isPartial.value ? draft.publishReceived : draft.publish)}
      onInput={draft.saveSoon}
      // A failure is reported when the share is sent.
      onChange={() => void draft.saveSettings().catch(() => {})}
    >
      {isEmpty && <Mark />}
      <Top isEmpty={isEmpty} zone={zone} />
      {isEmpty && branding.welcomeText && <p class="text">{branding.welcomeText}</p>}
      {!isEmpty && <Notices />}
      {rest && !isEmpty && <rest.Addressing />}
      {isEmpty ? (
        <DropZone {...zone}>
          {/* Keeps its line while it is not known. */}
          <p key={limits ? 'known' : 'awaited'} class="faint terms">
            {limits ? sayTerms(limits) : '\u00a0'}
          </p>
        </DropZone>
      ) : (
        <Chosen zone={zone} rest={rest} />
      )}
      <PickingNotes picking={picking} />
      <Problem error={loaded.error} onRetry={loaded.reload} />
      {isEmpty ? (
        rest && <rest.Unfinished />
      ) : (
        <>
          {rest && (
            <rest.Settings
              limits={limits}
              slugProblem={isTaken ? t('send.slug_taken') : undefined}
            />
          )}
          <div class="stack-tight center">
            {!isTaken && <Problem error={action.error} />}
            <GetLink action={action} />
            {draft.sending.value && <Cancel />}
          </div>
        </>
      )}
    </form>
  )
}

function Mark() {
  return (
    <svg class="mark" viewBox="0 0 112 80" aria-hidden="true">
      <rect x="10" y="20" width="44" height="52" rx="8" transform="rotate(-14 32 46)" />
      <rect x="58" y="20" width="44" height="52" rx="8" transform="rotate(14 80 46)" />
      <rect x="32" y="8" width="48" height="64" rx="10" />
      <path d="M56 52V28m-10 10l10-10 10 10" />
    </svg>
  )
}

/** The heading: that of the view, then the title of the share, in the card's head. */
function Top({ isEmpty, zone }: { readonly isEmpty: boolean; readonly zone: Zone }) {
  const sending = draft.sending.value
  const bytes = draft.unlisted.value
  if (isEmpty) return <Heading key="top" title={t('send.title')} />
  const title = (
    <Heading key="top" title={t('send.title')}>
      <span class={settings.value.name.length > titleMax ? 'title long' : 'title'}>
        <label class="visually-hidden" for="title">
          {t('send.title_field')}
        </label>
        <textarea
          id="title"
          rows={1}
          maxLength={200}
          placeholder={t('send.add_title')}
          value={settings.value.name}
          onInput={({ currentTarget: { value } }) =>
            changeSettings({ name: value.replaceAll('\n', ' ') })
          }
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
        <Icon path={icons.pencil} />
      </span>
    </Heading>
  )
  return (
    <Progress
      sending={sending}
      title={title}
      onStartOver={draft.startOver}
      isPublic={draft.isPublic.value}
      unlisted={bytes}
      notice={
        draft.isPartial.value && (
          <PickAgain zone={zone}>
            {bytes > 0 && t('send.not_begun', { size: formatBytes(bytes) })}
          </PickAgain>
        )
      }
    />
  )
}

/** `Up to 12 GB · kept 7 days` */
function sayTerms({ maxShareSize, defaultExpirationVal, defaultExpirationUnit }: Limits): string {
  const terms: string[] = []
  if (maxShareSize > 0) terms.push(t('send.limit', { size: formatBytes(maxShareSize) }))
  if (defaultExpirationVal > 0) {
    const time = sayExpiry(`${defaultExpirationVal} ${defaultExpirationUnit}`)
    terms.push(t('send.life', { time }))
  }
  const said = terms.join(' · ')
  return said.slice(0, 1).toLocaleUpperCase(language) + said.slice(1)
}

const isUploaded = (rows: readonly FileState[]) =>
  rows.every(({ state }) => state === 'done' || state === 'skipped')

function GetLink({ action }: { readonly action: ReturnType<typeof useAction> }) {
  const addresses = readRecipients(settings.value.recipients).filter(isAddress)
  const isPartial = draft.isPartial.value
  const isNamed = settings.value.audience === 'named'
  const count = sendsEmail() && !isPartial ? addresses.length : 0
  const isSendable = (row: FileState) => isCounted(row) && row.state !== 'missing'
  const isReady = draft.rows.value.some(isSendable) && draft.excess.value === 0
  return (
    <>
      <Button
        // While files are missing, choosing them comes first.
        kind={isPartial ? 'plain' : 'primary'}
        isWide
        type="submit"
        icon={count > 0 ? icons.mail : icons.link}
        busy={isReading.value || action.isBusy}
        disabled={!isReady}
      >
        {count > 0
          ? t('send.send_to', { n: count })
          : t(isPartial ? 'send.link_received' : isNamed ? 'send.get_links' : 'send.get_link')}
      </Button>
      {count > 0
        ? !isNamed && (
            <Button
              kind="quiet"
              disabled={!isReady || action.isBusy}
              // It goes with the last recipient: as a submit button it would do no more.
              onClick={() => {
                changeSettings({ recipients: '' })
                void action.run(draft.publish)
              }}
            >
              {t('send.link_instead')}
            </Button>
          )
        : !isUploaded(draft.rows.value) &&
          !isPartial && (
            <p class="faint">{t(draft.isHeld.value ? 'send.held' : 'send.before_done')}</p>
          )}
    </>
  )
}

function Cancel() {
  const isDone = isUploaded(draft.rows.value)
  const label = t(isDone ? 'send.discard' : 'send.cancel')
  const cancelling = useConfirm(() => ({
    title: t(isDone ? 'send.discard_title' : 'send.cancel_title'),
    action: label,
    keep: t(isDone ? 'common.cancel' : 'send.keep'),
    children: <p>{t('send.cancel_text')}</p>,
    onConfirm: draft.cancelDraft,
  }))
  return (
    <>
      <Button kind="quiet" icon={icons.trash} onClick={cancelling.ask}>
        {label}
      </Button>
      {cancelling.dialog}
    </>
  )
}

/** What the upload needs from the user before it goes on. */
function Notices() {
  const error = draft.startError.value
  return (
    <>
      {query('continue') && (
        <p class="notice" role="alert">
          {t('send.other_open')}
        </p>
      )}
      <Problem error={error} onRetry={() => void draft.start()} />
      {draft.excess.value > 0 && <TooLarge />}
    </>
  )
}

/** The selected files: the first as pictures, all of them in a list that opens. */
function Chosen(props: {
  readonly zone: Zone
  readonly rest: Awaited<ReturnType<typeof loadRest>> | null
}) {
  const { zone, rest } = props
  const rows = draft.rows.value
  const sending = draft.sending.value
  const isFew = rows.length <= fewFiles
  return (
    <div class="stack-tight">
      {!isFew && rest && (
        <rest.Strip files={rows}>
          <DropZone {...zone} look="tile" />
        </rest.Strip>
      )}
      <FileFold files={rows} isOpen={isFew}>
        <FileRows
          files={rows}
          icon={FileIcon}
          onRemove={draft.removeRows}
          onRetry={(id) => sending?.upload.retry(id)}
          {...(!sending && { onClear: () => draft.removeRows(rows) })}
        >
          {isFew ? (
            <DropZone {...zone} look="row" isHidden={draft.isPartial.value} />
          ) : (
            <FolderButton text={t('drop.add_folder')} {...zone} />
          )}
        </FileRows>
      </FileFold>
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
              {t('common.remove')}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
