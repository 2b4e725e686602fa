// What users meet after the first view: shares, file requests and their account, in one file with
// its texts. Every view loads it, once it can be used: for the dialog to sign in, as the connection
// may be lost when that is needed, and Send for what it needs when files are chosen.
import { loadTexts } from '../lib/i18n.ts'
import { Account } from './account/account.tsx'
import { MustEnrol } from './account/enrol.tsx'
import { Shortcuts } from './account/shortcuts.tsx'
import { NewRequest } from './requests/new.tsx'
import { RequestDetail } from './requests/detail.tsx'
import { Requests } from './requests/requests.tsx'
import { LinkReady } from './send/link-ready.tsx'
import { Addressing, Settings } from './send/settings.tsx'
import { Strip } from './send/strip.tsx'
import { ShareDetail } from './shares/detail.tsx'
import { Shares } from './shares/shares.tsx'

export { receiveShared } from './send/shared.ts'
export { Unfinished } from './send/unfinished.tsx'
export { SignInDialog } from './shell/sign-in-dialog.tsx'
export { Addressing, Settings, Strip }
export const views = {
  Account,
  LinkReady,
  MustEnrol,
  NewRequest,
  RequestDetail,
  Requests,
  ShareDetail,
  Shares,
  Shortcuts,
}

export const texts = loadTexts('manage')
