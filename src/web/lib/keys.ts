import { signal } from '@preact/signals'

const offKey = 'keys-off'

/** Whether the list of shortcuts is asked for. */
export const isListWanted = signal(false)

/** Whether single keys do anything: who speaks to their computer may want none (WCAG 2.1.4). */
export function areKeysOn(): boolean {
  try {
    return localStorage.getItem(offKey) === null
  } catch {
    return true
  }
}

/** Kept in this browser, where it keeps anything. */
export function turnKeys(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(offKey)
    else localStorage.setItem(offKey, '1')
  } catch {
    // They are on again the next time.
  }
}

/** From now on `?` lists the shortcuts, unless somebody is typing or a dialog asks something. */
export function listenForKeys(): void {
  addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, isComposing, target } = event
    if (key !== '?' || ctrlKey || metaKey || altKey || isComposing) return
    if (target instanceof Element && target.matches(':read-write, select')) return
    if (!areKeysOn() || document.querySelector('dialog[open]')) return
    event.preventDefault()
    isListWanted.value = true
  })
}
