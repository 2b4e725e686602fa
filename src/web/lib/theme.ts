import { keep, readKept } from './kept.ts'
import { signal } from './signals.ts'

/** `system`: follows the device. */
export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const onDarkDevices = '(prefers-color-scheme: dark)'

/** Media query for dark pages. */
export const whenDark = signal(onDarkDevices)

export function chosenTheme(): Theme {
  const chosen = readKept('theme')
  return themes.find((theme) => theme === chosen) ?? 'system'
}

/** Applies the choice, before the first paint. */
export function applyTheme(theme = chosenTheme()): void {
  document.documentElement.dataset['theme'] = theme
  whenDark.value = theme === 'system' ? onDarkDevices : theme === 'dark' ? 'all' : 'not all'
}

export function changeTheme(theme: Theme): void {
  applyTheme(theme)
  keep('theme', theme)
}
