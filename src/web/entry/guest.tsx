import { type ComponentChildren, render } from 'preact'
import { loadTexts } from '../lib/i18n.ts'
import { linkToBase } from '../lib/links.ts'
import { surviveTranslation } from '../lib/translated.ts'
import { readPageData } from '../lib/page-data.ts'
import type { RequestData } from '../views/guest/request.ts'
import { followTheme, offerThemes } from '../ui/theme-choice.tsx'
import { Unlock } from '../ui/unlock.tsx'
import { useSignal } from '../lib/signals.ts'
import type { PickedFile, UploadRecord } from '../upload/types.ts'
import { Show, useLoad } from '../ui/state.tsx'
import { Choose, type Sender } from '../views/guest/choose.tsx'
import type { Delivery, SendingProps } from '../views/guest/sending.tsx'

type PageData =
  | RequestData
  | { readonly state: 'locked'; readonly id: string }
  | { readonly state: 'not_found' | 'expired' }

async function start(data: PageData): Promise<void> {
  await loadTexts('guest')
  offerThemes()
  if (data.state === 'locked') {
    const place = document.getElementById('unlock')!
    const path = `/api/public/reverse/${data.id}/verify`
    render(<Unlock path={path} onUnlocked={() => location.reload()} />, place)
  } else if (data.state === 'open') {
    const main = document.getElementById('main')!
    main.replaceChildren()
    render(<Guest request={data} />, main)
  }
}

linkToBase()
surviveTranslation()
followTheme()
void start(readPageData())

type Step =
  | { readonly name: 'choose'; readonly files: readonly PickedFile[] }
  | ({ readonly name: 'send' } & Begun)
  | ({ readonly name: 'done' } & Delivery)

/** The upload: new files, or those of an unfinished one. */
type Begun = Pick<SendingProps, 'files' | 'sender' | 'record'>

type SendingPart = typeof import('../views/guest/sending.tsx')

/** The larger part of the script, loaded while files are being selected. */
const loadSending = () => import('../views/guest/sending.tsx')

function Guest({ request }: { readonly request: RequestData }) {
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
