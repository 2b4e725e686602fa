import { t } from '../../lib/i18n.ts'
import { me, signOut } from '../../lib/session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Problem, useAction } from '../../ui/state.tsx'

/** The signed-in user, with links to their account. */
export function AccountMenu() {
  const { run, error } = useAction()
  const { name, email } = me.value!
  return (
    <>
      <Menu label={`${t('nav.account')}: ${name || email}`} face={initialsOf(name || email)}>
        <p class="hint">{email}</p>
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

/** Those of the first and the last word. */
function initialsOf(name: string): string {
  const words = name.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return [...new Set([words[0], words.at(-1)])].map((word = '') => word[0]?.toUpperCase()).join('')
}
