import { mustEnrol } from '../../lib/api.ts'
import { t } from '../../lib/i18n.ts'
import { SignOut } from '../shell/sign-out.tsx'
import { Enrol } from './enrol.tsx'

/** All there is for an account that has no second factor where everybody must have one. */
export function MustEnrol() {
  return (
    <>
      <p class="notice">{t('enrol.must')}</p>
      <Enrol onDone={() => (mustEnrol.value = false)} />
      <SignOut />
    </>
  )
}
