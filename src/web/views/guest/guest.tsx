import { useSignal } from '@preact/signals'
import { formatBytes } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import type { PickedFile, UploadRecord } from '../../upload/types.ts'
import { Button } from '../../ui/button.tsx'
import { Heading } from '../../ui/heading.tsx'
import { Show, useLoad } from '../../ui/state.tsx'
import { Choose, type Sender } from './choose.tsx'
import type { RequestData } from './request.ts'
import type { Delivery, SendingProps } from './sending.tsx'

type Step =
  | { readonly name: 'choose'; readonly files: readonly PickedFile[] }
  | ({ readonly name: 'send' } & Begun)
  | ({ readonly name: 'done' } & Delivery)

/** The upload: new files, or those of an unfinished one. */
type Begun = Pick<SendingProps, 'files' | 'sender' | 'record'>

/** The larger part of the script, loaded while files are being selected. */
const loadSending = () => import('./sending.tsx')

export function Guest({ request }: { readonly request: RequestData }) {
  const step = useSignal<Step>({ name: 'choose', files: [] })
  const chooseAgain = (files: readonly PickedFile[]) => (step.value = { name: 'choose', files })
  if (step.value.name === 'done') {
    return <Done request={request} delivery={step.value} onAgain={() => chooseAgain([])} />
  }
  if (step.value.name === 'send') {
    return (
      <LoadedSending
        request={request}
        files={step.value.files}
        sender={step.value.sender}
        record={step.value.record}
        onDone={(delivery) => (step.value = { name: 'done', ...delivery })}
        onStartOver={chooseAgain}
      />
    )
  }
  return (
    <Choose
      request={request}
      files={step.value.files}
      onChosen={() => void loadSending().catch(() => {})}
      onSend={(files: readonly PickedFile[], sender: Sender) =>
        (step.value = { name: 'send', files, sender, record: null })
      }
      onContinue={(record: UploadRecord) =>
        (step.value = { name: 'send', files: [], sender: null, record })
      }
    />
  )
}

function LoadedSending(props: SendingProps) {
  const loaded = useLoad(loadSending, [])
  return <Show loaded={loaded}>{({ Sending }) => <Sending {...props} />}</Show>
}

function Done(props: {
  readonly request: RequestData
  readonly delivery: Delivery
  readonly onAgain: () => void
}) {
  const { ownerName: owner, once, hasExpired } = props.request
  const { files, bytes, thanks, reference } = props.delivery
  const arrived = { owner, n: files, size: formatBytes(bytes) }
  return (
    <>
      <Heading title={t('guest.thanks')} />
      <p role="status">{t(owner ? 'guest.has' : 'guest.arrived', arrived)}</p>
      {thanks && (
        <p class="text" dir="auto">
          {thanks}
        </p>
      )}
      <p class="faint">{t('guest.reference', { reference })}</p>
      {!once && !hasExpired && (
        <div>
          <Button onClick={props.onAgain}>{t('guest.again')}</Button>
        </div>
      )}
    </>
  )
}
