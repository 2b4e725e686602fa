import { keep, readKept } from './kept.ts'
import { signal } from './signals.ts'

const offKey = 'keys-off'

/** Whether the list of shortcuts is open. */
export const isListWanted = signal(false)

/** Whether single-key shortcuts are on: users of speech input may turn them off (WCAG 2.1.4). */
export function areKeysOn(): boolean {
  return readKept(offKey) === null
}

export function turnKeys(isOn: boolean): void {
  keep(offKey, isOn ? null : '1')
}

/** Makes `?` list the shortcuts, unless the user is typing or a dialog is open. */
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
