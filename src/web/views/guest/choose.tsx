import { signal, useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { editable, part, type Editable } from '../../lib/editable.ts'
import { formatBytes, formatDay, formatRelative } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import * as icons from '../../ui/icons.ts'
import { openUploadStore } from '../../upload/store-idb.ts'
import type { PickedFile, UploadRecord } from '../../upload/types.ts'
import { Button } from '../../ui/button.tsx'
import { DropZone } from '../../ui/drop-zone.tsx'
import { Field } from '../../ui/field.tsx'
import { FileRows } from '../../ui/file-rows.tsx'
import { Heading } from '../../ui/heading.tsx'
import { isReading, PickingNotes, usePicking } from '../../ui/picking.tsx'
import { useLoad } from '../../ui/state.tsx'
import { cancelDelivery } from './cancel-delivery.ts'
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
  const ready = sendable(chosen.value)
  return (
    <>
      {owner && (
        <p class="sender">
          <span class="avatar" aria-hidden="true">
            {request.ownerInitials}
          </span>
          <span>{t('guest.asks', { owner })}</span>
        </p>
      )}
      <Heading title={request.name} />
      {request.instructions && (
        <p class="text" dir="auto">
          {request.instructions}
        </p>
      )}
      <p>{sayReaders(request)}</p>
      <Terms request={request} />
      <Unfinished request={request} onContinue={onContinue} />
      {!request.hasExpired && (
        <div class="stack">
          <DropZone {...zone} kinds={kinds} look={chosen.value.length > 0 ? 'row' : 'card'} />
          <PickingNotes picking={picking} />
          <FileRows
            files={rowsOf(chosen.value)}
            onRemove={(removed) => {
              const paths = new Set(removed.map(({ path }) => path))
              chosen.value = chosen.value.filter(({ path }) => !paths.has(path))
            }}
            onClear={() => (chosen.value = [])}
          />
          <SendForm request={request} ready={ready} onSend={onSend} />
        </div>
      )}
    </>
  )
}

/** The guest's details, and the button that sends the files. */
function SendForm(props: {
  readonly request: RequestData
  readonly ready: readonly PickedFile[]
  readonly onSend: ChooseProps['onSend']
}) {
  const { request, ready, onSend } = props
  const sender = useSignal(lastSender)
  const bytes = ready.reduce((sum, { size }) => sum + size, 0)
  const tooMany = request.maxSize > 0 ? bytes - request.maxSize : 0
  const isReady = ready.length > 0 && tooMany <= 0
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isReady) return
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
      <div>
        <Button
          kind="primary"
          isWide
          type="submit"
          icon={icons.send}
          busy={isReading.value}
          disabled={!isReady}
        >
          {ready.length > 0
            ? t('guest.send', { n: ready.length, size: formatBytes(bytes) })
            : t('guest.send_none')}
        </Button>
      </div>
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
function Terms({ request }: Pick<ChooseProps, 'request'>) {
  const { maxSize, expiresAt, allowedExtensions: kinds, once } = request
  const terms = []
  if (kinds.length > 0) terms.push(t('guest.only', { kinds: kinds.join(', ') }))
  if (maxSize > 0) terms.push(t('guest.limit', { size: formatBytes(maxSize) }))
  if (once) terms.push(t('guest.once'))
  if (expiresAt) {
    terms.push(t('guest.until', { day: formatDay(expiresAt), when: formatRelative(expiresAt) }))
  }
  return terms.length > 0 && <p class="faint">{terms.join(' · ')}</p>
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
  const label = (field: (typeof required)[number]) => {
    const isRequired = required.includes(field)
    const name = t(`guest.field.${field}`)
    return { required: isRequired, label: isRequired ? name : t('guest.optional', { name }) }
  }
  return (
    <>
      <Field {...label('name')} autoComplete="name" maxLength={200} value={trimmed('senderName')} />
      <Field
        {...label('email')}
        type="email"
        autoComplete="email"
        value={part(sender, 'senderEmail')}
      />
      <Field {...label('note')} lines={3} maxLength={10_000} value={trimmed('note')} />
    </>
  )
}

/** Uploads of earlier pages: their files must be selected again. */
function Unfinished(props: Pick<ChooseProps, 'request' | 'onContinue'>) {
  const { request, onContinue } = props
  const store = useMemo(openUploadStore, [])
  const loaded = useLoad(() => store.list(), [])
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
  const files = t('files', { n: record.files.length })
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
