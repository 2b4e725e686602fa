import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { t } from '../../lib/i18n.ts'
import { loadNews, news } from '../../lib/news.ts'
import { place } from '../../lib/router.ts'
import { me } from '../../lib/session.ts'
import { Icon } from '../../ui/icon.tsx'
import * as icons from '../../ui/icons.ts'
import type { IconPath } from '../../ui/icons.ts'
import { Brand, ConnectionStrip, Links } from '../../ui/page.tsx'
import { Toasts } from '../../ui/toast.tsx'
import { AccountMenu } from './account-menu.tsx'
import { ShortcutList } from './shortcut-list.tsx'
import { SignInAgain } from './sign-in-again.tsx'

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
        {t('skip_to_content')}
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
