import { signal } from '@preact/signals'
import { toast } from '../ui/toast.tsx'
import { api, ApiError } from './api.ts'

/** Addresses of what is gone, or goes once the time to undo is over: no list shows it any more. */
const doomed = signal<ReadonlySet<string>>(new Set())
/** What sends each of them before its time. */
const waiting = new Map<string, () => void>()
const sending = new Set<Promise<void>>()

/** Why the last deletion did not work; null while all is well. */
export const deletionError = signal<unknown>(null)

export const isDoomed = (path: string) => doomed.value.has(path)

/**
 * Takes something out of sight, and deletes it when nobody has undone that for ten seconds, or when
 * the page is left before.
 * @param path of the API, as DELETE takes it
 * @param onKept it was undone, or did not work
 */
export function deleteLater(
  path: string,
  text: string,
  onDone?: () => void,
  onKept?: () => void,
): void {
  const keep = () => {
    spare(path)
    onKept?.()
  }
  const send = async () => {
    try {
      await api('DELETE', path)
    } catch (error) {
      // Else somebody was faster: it is gone all the same.
      if (!(error instanceof ApiError && error.code === 'not_found')) {
        keep()
        deletionError.value = error
        return
      }
    }
    onDone?.()
  }
  deletionError.value = null
  doomed.value = new Set(doomed.value).add(path)
  const end = toast(text, {
    onUndo: keep,
    onGone: () => {
      if (!waiting.delete(path)) return
      const one = send().finally(() => sending.delete(one))
      sending.add(one)
    },
  })
  waiting.set(path, end)
}

/**
 * Deletes now what waits for its time to undo, while somebody is signed in who may.
 * @throws ApiError of one that could not be deleted: it is shown again
 */
export async function finishDeletions(): Promise<void> {
  deletionError.value = null
  for (const end of waiting.values()) end()
  await Promise.all(sending)
  if (deletionError.value !== null) throw deletionError.value
}

function spare(path: string): void {
  waiting.delete(path)
  const left = new Set(doomed.value)
  left.delete(path)
  doomed.value = left
}

let isStale = false

addEventListener('pagehide', () => {
  for (const path of waiting.keys()) void fetch(path, { method: 'DELETE', keepalive: true })
  isStale ||= waiting.size > 0
  waiting.clear()
})
// A page that the browser has kept would still offer to undo.
addEventListener('pageshow', () => isStale && location.reload())
