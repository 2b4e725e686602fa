import type { ComponentChildren } from 'preact'
import { useSignal } from '../../lib/signals.ts'
import type { PickedFile, UploadRecord } from '../../upload/types.ts'
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

type SendingPart = typeof import('./sending.tsx')

/** The larger part of the script, loaded while files are being selected. */
const loadSending = () => import('./sending.tsx')

export function Guest({ request }: { readonly request: RequestData }) {
  const step = useSignal<Step>({ name: 'choose', files: [] })
  const chooseAgain = (files: readonly PickedFile[]) => (step.value = { name: 'choose', files })
  const now = step.value
  if (now.name === 'done') {
    const onAgain = () => chooseAgain([])
    return <Late view={({ Done }) => <Done request={request} delivery={now} onAgain={onAgain} />} />
  }
  if (now.name === 'send') {
    const { files, sender, record } = now
    const onDone = (delivery: Delivery) => (step.value = { name: 'done', ...delivery })
    const onStartOver = chooseAgain
    const props = { request, files, sender, record, onDone, onStartOver }
    return <Late view={({ Sending }) => <Sending {...props} />} />
  }
  return (
    <Choose
      request={request}
      files={now.files}
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

/** A view of the part that is loaded on demand. */
function Late(props: { readonly view: (part: SendingPart) => ComponentChildren }) {
  const loaded = useLoad(loadSending, [])
  return <Show loaded={loaded}>{props.view}</Show>
}
