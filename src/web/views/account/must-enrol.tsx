import { mustEnrol } from '../../lib/api.ts'
import { t } from '../../lib/i18n.ts'
import { SignOut } from '../shell/sign-out.tsx'
import { Enrol } from './enrol.tsx'
import { AddPasskey } from './passkeys.tsx'

/** The only view of an account without a second factor that is required to have one. */
export function MustEnrol() {
  return (
    <>
      <p class="notice">{t('enrol.must')}</p>
      <Enrol onDone={() => (mustEnrol.value = false)} />
      <AddPasskey onAdded={() => (mustEnrol.value = false)} />
      <SignOut />
    </>
  )
}
