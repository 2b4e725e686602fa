import { Store } from './store.ts'

/** `system`: light or dark as the device has it. */
export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const onDarkDevices = '(prefers-color-scheme: dark)'

/** When pages are dark, as a media query. */
export const whenDark = new Store(onDarkDevices)

export function chosenTheme(): Theme {
  try {
    const chosen = localStorage.getItem('theme')
    return themes.find((theme) => theme === chosen) ?? 'system'
  } catch {
    return 'system'
  }
}

/** Shows the choice; pages do so before they are painted. */
export function applyTheme(theme = chosenTheme()): void {
  document.documentElement.dataset['theme'] = theme
  whenDark.value = theme === 'system' ? onDarkDevices : theme === 'dark' ? 'all' : 'not all'
}

export function changeTheme(theme: Theme): void {
  applyTheme(theme)
  try {
    localStorage.setItem('theme', theme)
  } catch {
    // Until the page is left.
  }
}
