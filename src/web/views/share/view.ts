import type { ListView } from './shared.ts'

const key = 'files-view'

/** The view that was chosen last; null without one. */
export function keptView(): ListView | null {
  try {
    const kept = localStorage.getItem(key)
    return kept === 'grid' || kept === 'list' ? kept : null
  } catch {
    return null
  }
}

export function keepView(view: ListView): void {
  try {
    localStorage.setItem(key, view)
  } catch {
    // Without storage the choice is forgotten.
  }
}
