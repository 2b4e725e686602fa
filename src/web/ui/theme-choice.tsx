import { render } from 'preact'
import { t } from '../lib/i18n.ts'
import { effect } from '../lib/signals.ts'
import * as icons from './icons.ts'
import { Icon } from './icon.tsx'
import { applyTheme, changeTheme, chosenTheme, themes, whenDark, type Theme } from '../lib/theme.ts'

/** For people without an account: the same choice as in its settings, at the end of the page. */
export function offerThemes(): void {
  const place = document.getElementById('theme')
  if (place) render(<ThemeChoice />, place)
}

/** The logo comes with the page, and knows only the device's theme. */
export function followTheme(): void {
  applyTheme()
  const dark = document.querySelector('header source')
  if (dark) effect(() => dark.setAttribute('media', whenDark.value))
}

function ThemeChoice() {
  return (
    <label>
      <Icon path={icons.contrast} />
      {t('profile.theme')}
      <select
        value={chosenTheme()}
        onChange={(event) => changeTheme(event.currentTarget.value as Theme)}
      >
        {themes.map((theme) => (
          <option value={theme}>{t(`profile.theme.${theme}`)}</option>
        ))}
      </select>
    </label>
  )
}
