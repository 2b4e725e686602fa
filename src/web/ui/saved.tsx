import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from '../lib/i18n.ts'
import { Problem, useAction } from './state.tsx'

interface SavedProps<T> {
  /** As the service has it. */
  readonly value: T
  /** False when it was not saved after all. */
  readonly save: (value: T) => Promise<boolean>
  readonly children: (value: T, onValue: (value: T) => void) => ComponentChildren
}

/** A field that is saved for itself: when it is left, or by Enter. */
export function Saved<T>({ value, save, children }: SavedProps<T>) {
  const [draft, setDraft] = useState(value)
  const [isSaved, setIsSaved] = useState(false)
  // What is chosen in a list is saved by the very event that sets it.
  const latest = useRef(value)
  const action = useAction()
  const change = (next: T) => {
    latest.current = next
    setDraft(next)
    setIsSaved(false)
  }
  useEffect(() => change(value), [value])
  const submit = (form: HTMLFormElement) => {
    if (latest.current === value || !form.reportValidity()) return
    void action.run(async () => {
      const done = await save(latest.current)
      // The new value comes back from above, and clears the note: so a moment later.
      setTimeout(() => setIsSaved(done))
    })
  }
  return (
    <form
      class="stack-tight"
      onChange={(event) => submit(event.currentTarget)}
      onSubmit={(event) => {
        event.preventDefault()
        submit(event.currentTarget)
      }}
    >
      {children(draft, change)}
      <p class="hint ok" role="status">
        {isSaved && t('saved')}
      </p>
      {action.error !== null && <Problem error={action.error} />}
    </form>
  )
}
