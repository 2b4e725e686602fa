import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { t } from '../../lib/i18n.ts'
import { loadNews, news } from '../../lib/news.ts'
import { place } from '../../lib/router.ts'
import { me, signOut } from '../../lib/session.ts'
import { Icon } from '../../ui/icon.tsx'
import * as icons from '../../ui/icons.ts'
import type { IconPath } from '../../ui/icons.ts'
import { Brand, ConnectionStrip, Links } from '../../ui/page.tsx'
import { Toasts, toast } from '../../ui/toast.tsx'
import { SignInAgain } from './sign-in-again.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Problem, useAction, useLoad } from '../../ui/state.tsx'
import { isListWanted } from '../../lib/keys.ts'
import { loadRest } from '../rest.ts'

/** The frame of every view: name, navigation, and the dock. */
export function Shell(props: {
  readonly children: ComponentChildren
  /** Uploads that continue in other views. */
  readonly dock: ComponentChildren
}) {
  useEffect(() => {
    void loadNews()
    for (const name of ['dragover', 'drop'] as const) addEventListener(name, stay)
  }, [])
  return (
    <div class="shell">
      <a class="button skip" href="#main">
        {t('common.skip_to_content')}
      </a>
      <header>
        <Brand />
        <nav class="nav" aria-label={t('nav.main')}>
          <NavLink href="/" icon={icons.send} text={t('nav.send')} />
          <NavLink href="/shares" icon={icons.link} text={t('nav.shares')} />
          <NavLink
            href="/requests"
            icon={icons.inbox}
            text={t('nav.requests')}
            count={news.value}
          />
          {me.value?.is_admin && <NavLink href="/admin" icon={icons.gear} text={t('nav.admin')} />}
        </nav>
        <AccountMenu />
      </header>
      <ConnectionStrip />
      <main id="main">{props.children}</main>
      {props.dock}
      <Links />
      <Toasts />
      <ShortcutList />
      <SignInAgain />
    </div>
  )
}

/** Browsers would open a file that misses the drop zone in place of the app. */
function stay(event: DragEvent): void {
  if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
}

function NavLink(props: { href: string; icon: IconPath; text: string; count?: number }) {
  const { path } = place.value
  const isCurrent = props.href === '/' ? path === '/' : path.startsWith(props.href)
  return (
    <a href={props.href} aria-current={isCurrent ? 'page' : undefined}>
      <Icon path={props.icon} />
      {props.text}
      {!!props.count && (
        <span class="badge ok">
          {props.count}
          <span class="visually-hidden"> {t('nav.new')}</span>
        </span>
      )}
    </a>
  )
}

/** The signed-in user, with links to their account. */
function AccountMenu() {
  const { run, error } = useAction()
  const { name, email } = me.value!
  return (
    <>
      <Menu
        label={`${t('nav.account')}: ${name || email}`}
        face={initialsOf(name) || initialsOf(email)}
      >
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
  const words = name.match(/[\p{L}\p{N}]\S*/gu) ?? []
  return [...new Set([words[0], words.at(-1)])]
    .map((word = '') => /^./u.exec(word)?.[0].toUpperCase())
    .join('')
}

/** The list of shortcuts, loaded with the account's views on demand. */
function ShortcutList() {
  const isWanted = isListWanted.value
  const { data, error } = useLoad(async () => (isWanted ? loadRest() : null), [isWanted])
  useEffect(() => {
    if (!isWanted || error === null) return
    isListWanted.value = false
    toast(t('error.unreachable'))
  }, [error])
  return isWanted && data && <data.views.Shortcuts />
}
