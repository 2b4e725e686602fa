/** `system`: light or dark as the device has it. */
export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

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
}

export function changeTheme(theme: Theme): void {
  applyTheme(theme)
  try {
    localStorage.setItem('theme', theme)
  } catch {
    // Until the page is left.
  }
}
