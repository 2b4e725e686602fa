import { useMemo } from 'preact/hooks'
import { editable, part, type Editable } from '../../lib/editable.ts'
import { formatBytes, formatEnd, formatRelative } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { signal } from '../../lib/signals.ts'
import * as icons from '../../ui/icons.ts'
import { openUploadStore } from '../../upload/store-idb.ts'
import type { PickedFile, UploadRecord } from '../../upload/types.ts'
import { Button } from '../../ui/button.tsx'
import { DropZone } from '../../ui/drop-zone.tsx'
import { Field } from '../../ui/field.tsx'
import { FileRows } from '../../ui/file-rows.tsx'
import { Heading } from '../../ui/heading.tsx'
import { Fold } from '../../ui/fold.tsx'
import { isReading, PickingNotes, usePicking } from '../../ui/picking.tsx'
import { useLoad } from '../../ui/state.tsx'
import { cancelDelivery } from './cancel-delivery.ts'
import { FileIcon } from '../../ui/file-icon.tsx'
import type { RequestData } from './request.ts'
import { addTo, newOnes, rowsOf, sendable, type Chosen } from './selection.ts'

/** The guest; fields may be empty unless required. */
export interface Sender {
  readonly senderName: string
  readonly senderEmail: string
  readonly note: string
}

interface ChooseProps {
  readonly request: RequestData
  /** Earlier selection, when an upload could not continue. */
  readonly files: readonly PickedFile[]
  /** Called for the first files. */
  readonly onChosen: () => void
  readonly onSend: (files: readonly PickedFile[], sender: Sender) => void
  readonly onContinue: (record: UploadRecord) => void
}

/** Kept between deliveries of the same visit, so that the guest types it once. */
let lastSender: Sender = { senderName: '', senderEmail: '', note: '' }

export function Choose({ request, files, onChosen, onSend, onContinue }: ChooseProps) {
  const chosen = useMemo(() => signal(addTo([], files, request)), [])
  const { ownerName: owner, allowedExtensions: kinds } = request
  const { picking, ...zone } = usePicking(async (more) => {
    onChosen()
    let list: readonly Chosen[]
    let found: readonly PickedFile[]
    do {
      list = chosen.value
      found = await newOnes(list, more)
    } while (list !== chosen.value)
    chosen.value = addTo(list, found, request)
  })
  const isEmpty = chosen.value.length === 0
  return (
    <>
      {owner ? (
        <div class="head">
          <span class="avatar" aria-hidden="true">
            {request.ownerInitials}
          </span>
          <div class="words">
            <p class="faint">{t('guest.asks', { owner })}</p>
            <Heading title={request.name} />
          </div>
        </div>
      ) : (
        <Heading title={request.name} />
      )}
      {request.instructions && (
        <p class="text" dir="auto">
          {request.instructions}
        </p>
      )}
      <Unfinished request={request} onContinue={onContinue} />
      {!request.hasExpired && (
        <>
          <DropZone {...zone} kinds={kinds} look={isEmpty ? 'card' : 'row'} />
          <PickingNotes picking={picking} />
          {!isEmpty && (
            <div>
              <FileRows
                files={rowsOf(chosen.value)}
                onRemove={(removed) => {
                  const paths = new Set(removed.map(({ path }) => path))
                  chosen.value = chosen.value.filter(({ path }) => !paths.has(path))
                }}
                icon={FileIcon}
              />
            </div>
          )}
          <SendForm request={request} ready={sendable(chosen.value)} onSend={onSend} />
          <p class="facts faint">
            {/* A dot may end a line, but begins none. */}
            {[sayReaders(request).replace(/[.。]$/, ''), ...termsOf(request)].join('\u00a0· ')}
          </p>
        </>
      )}
    </>
  )
}

/** The guest's details, and the button that sends the files, as soon as there are any to send. */
function SendForm(props: {
  readonly request: RequestData
  readonly ready: readonly PickedFile[]
  readonly onSend: ChooseProps['onSend']
}) {
  const { request, ready, onSend } = props
  const sender = useMemo(() => signal(lastSender), [])
  const bytes = ready.reduce((sum, { size }) => sum + size, 0)
  const tooMany = request.maxSize > 0 ? bytes - request.maxSize : 0
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (ready.length === 0 || tooMany > 0) return
        lastSender = sender.value
        onSend(ready, lastSender)
      }}
    >
      <SenderFields required={request.requiredFields} sender={sender} />
      <div role="alert">
        {tooMany > 0 && (
          <p class="problem-text">{t('guest.too_big', { size: formatBytes(tooMany) })}</p>
        )}
      </div>
      {ready.length > 0 && (
        <Button
          kind="primary"
          isWide
          type="submit"
          icon={icons.send}
          busy={isReading.value}
          disabled={tooMany > 0}
        >
          {t('guest.send', { n: ready.length, size: formatBytes(bytes) })}
        </Button>
      )}
    </form>
  )
}

/** Who gets the files: said before anything is sent. */
function sayReaders({
  ownerName: owner,
  allowSharing,
}: Pick<RequestData, 'ownerName' | 'allowSharing'>) {
  if (allowSharing) return owner ? t('guest.to_shared', { owner }) : t('guest.to_whom_shared')
  return owner ? t('guest.to', { owner }) : t('guest.to_whom')
}

/** Allowed files, sizes and time. */
function termsOf({ maxSize, expiresAt, allowedExtensions: kinds, once }: RequestData): string[] {
  const terms = []
  if (kinds.length > 0) terms.push(t('guest.only', { kinds: kinds.join(', ').toUpperCase() }))
  if (maxSize > 0) terms.push(t('guest.limit', { size: formatBytes(maxSize) }))
  if (once) terms.push(t('guest.once'))
  if (expiresAt) terms.push(t('guest.until', { day: formatEnd(expiresAt) }))
  return terms
}

function SenderFields(props: {
  readonly required: RequestData['requiredFields']
  readonly sender: Editable<Sender>
}) {
  const { required, sender } = props
  const trimmed = (key: keyof Sender) => {
    const field = part(sender, key)
    return editable(field.value, (typed) => (field.value = typed.trimStart()))
  }
  const fields = {
    name: { autoComplete: 'name', maxLength: 200, value: trimmed('senderName') },
    email: { type: 'email', autoComplete: 'email', value: part(sender, 'senderEmail') },
    note: { lines: 3, maxLength: 10_000, value: trimmed('note') },
  } as const
  type Name = keyof typeof fields
  const labelOf = (field: Name) => {
    const name = t(`guest.field.${field}`)
    return required.includes(field) ? name : t('guest.optional', { name })
  }
  const show = (field: Name) => (
    <Field
      key={field}
      required={required.includes(field)}
      label={labelOf(field)}
      {...fields[field]}
    />
  )
  const names = Object.keys(fields) as Name[]
  const optional = names.filter((name) => !required.includes(name))
  const isUsual = optional.includes('name') && optional.includes('note')
  return (
    <>
      {names.filter((name) => required.includes(name)).map(show)}
      {optional.length > 0 && (
        <Fold
          isOpen={Object.values(lastSender).some(Boolean)}
          text={isUsual ? t('guest.more') : optional.map(labelOf).join(' · ')}
        >
          <div class="stack">{optional.map(show)}</div>
        </Fold>
      )}
    </>
  )
}

/** Uploads of earlier pages: their files must be selected again. */
function Unfinished(props: Pick<ChooseProps, 'request' | 'onContinue'>) {
  const { request, onContinue } = props
  const store = useMemo(openUploadStore, [])
  // Browsers may have no storage.
  const loaded = useLoad(() => store.list().catch((): UploadRecord[] => []), [])
  const record = loaded.data?.find(
    ({ target, files }) =>
      target.kind === 'delivery' && target.reverseId === request.id && files.length > 0,
  )
  if (!record) {
    return loaded.data && request.hasExpired && <p role="alert">{t('guest.is.expired')}</p>
  }
  const discard = async () => {
    await cancelDelivery(record.target)
    await store.remove(record.id).catch(() => {})
    loaded.reload()
  }
  const when = formatRelative(new Date(record.savedAt))
  const files = t('common.files', { n: record.files.length })
  return (
    <div class="notice stack-tight">
      <p>{t('guest.unfinished', { when, files })}</p>
      <div class="row">
        <Button onClick={() => onContinue(record)}>{t('guest.continue')}</Button>
        <Button kind="quiet" onClick={discard}>
          {t('guest.discard')}
        </Button>
      </div>
    </div>
  )
}
