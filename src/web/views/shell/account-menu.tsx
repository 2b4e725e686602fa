import { t } from '../../lib/i18n.ts'
import { me, signOut } from '../../lib/session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import * as icons from '../../ui/icons.ts'
import { Menu } from '../../ui/menu.tsx'
import { Problem, useAction } from '../../ui/state.tsx'

/** The signed-in user, with links to their account. */
export function AccountMenu() {
  const { run, error } = useAction()
  return (
    <>
      <Menu label={t('nav.account')} icon={icons.person} isNamed>
        <p class="hint">{me.value?.email}</p>
        <ButtonLink kind="quiet" href="/account">
          {t('nav.account_settings')}
        </ButtonLink>
        <Button kind="quiet" onClick={() => run(signOut)}>
          {t('nav.sign_out')}
        </Button>
      </Menu>
      <Problem error={error} />
    </>
  )
}
