// Files that other apps share with the installed app. Loaded after Send can be used.
import { addressOf } from '../../lib/base-path.ts'
import { browserClock } from '../../lib/clock.ts'
import { t } from '../../lib/i18n.ts'
import { query, setQuery } from '../../lib/router.ts'
import { dropOldShared, takeShared } from '../../lib/shared-files.ts'
import { toast } from '../../ui/toast.tsx'
import { isHeld } from './draft.ts'

const address = addressOf('/share-target.js')
/** Once in the life of a page. */
let isDone = false

/** Installs the worker that receives them, and passes on those that wait if the address says so. */
export async function receiveShared(onFiles: (files: readonly File[]) => void): Promise<void> {
  if (isDone || !('serviceWorker' in navigator)) return
  isDone = true
  if (query('shared')) await takeWaiting(onFiles)
  else await dropOldShared(browserClock.now())
  await navigator.serviceWorker.register(trusted(), { scope: addressOf('/share-target') })
}

async function takeWaiting(onFiles: (files: readonly File[]) => void): Promise<void> {
  const all = await takeShared(browserClock.now())
  setQuery({ shared: '' })
  const files = all.flatMap(({ files: some, text }) =>
    text === '' ? some : [...some, new File([text], t('shared.text'), { type: 'text/plain' })],
  )
  if (files.length === 0) return void toast(t('shared.none'))
  // Pages of other sites can send a form to the share target too, but not in the app's window:
  // elsewhere nothing is uploaded until the user has seen the files.
  if (!matchMedia('(display-mode: standalone)').matches) isHeld.value = true
  onFiles(files)
}

/** The page's policy allows one Trusted Types policy, and this one knows a single address. */
function trusted(): string {
  const { trustedTypes } = window as {
    trustedTypes?: {
      createPolicy(
        name: string,
        rules: { createScriptURL(): string },
      ): { createScriptURL(url: string): string }
    }
  }
  const policy = trustedTypes?.createPolicy('share-target', { createScriptURL: () => address })
  return policy?.createScriptURL('') ?? address
}
