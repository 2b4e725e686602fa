import { signal } from './signals.ts'

/** `system`: follows the device. */
export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const onDarkDevices = '(prefers-color-scheme: dark)'

/** Media query for dark pages. */
export const whenDark = signal(onDarkDevices)

export function chosenTheme(): Theme {
  try {
    const chosen = localStorage.getItem('theme')
    return themes.find((theme) => theme === chosen) ?? 'system'
  } catch {
    return 'system'
  }
}

/** Applies the choice, before the first paint. */
export function applyTheme(theme = chosenTheme()): void {
  document.documentElement.dataset['theme'] = theme
  whenDark.value = theme === 'system' ? onDarkDevices : theme === 'dark' ? 'all' : 'not all'
}

export function changeTheme(theme: Theme): void {
  applyTheme(theme)
  try {
    localStorage.setItem('theme', theme)
  } catch {
    // Lasts until the page is left.
  }
}
