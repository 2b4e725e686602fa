import { t } from '../../lib/i18n.ts'
import { signOut } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { Problem, useAction } from '../../ui/state.tsx'

export function SignOut() {
  const { run, isBusy, error } = useAction()
  return (
    <>
      <Button kind="quiet" busy={isBusy} onClick={() => run(signOut)}>
        {t('nav.sign_out')}
      </Button>
      <Problem error={error} />
    </>
  )
}
