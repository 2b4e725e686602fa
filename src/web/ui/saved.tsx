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
  // What the service has or was sent: a draft that is neither is still being worked on, and stays.
  const told = useRef(value)
  const again = useRef<HTMLFormElement | null>(null)
  const isSaving = useRef(false)
  const action = useAction()
  const change = (next: T) => {
    latest.current = next
    setDraft(next)
  }
  useEffect(() => {
    // Loaded before this was saved, maybe.
    if (isSaving.current) return
    if (latest.current === told.current) change(value)
    told.current = value
  }, [value])
  const submit = (form: HTMLFormElement) => {
    if (isSaving.current) {
      // Enter is a change and a submit: what is on its way is not sent twice.
      again.current = latest.current === told.current ? null : form
      return
    }
    const sent = latest.current
    if (sent === value || !form.reportValidity()) return
    isSaving.current = true
    told.current = sent
    void action.run(async () => {
      try {
        setIsSaved((await save(sent)) && latest.current === sent)
      } finally {
        isSaving.current = false
      }
    })
  }
  // Once what was sent has come back from above: what is sent next is compared with that.
  useEffect(() => {
    const form = again.current
    if (action.isBusy || !form) return
    again.current = null
    submit(form)
  }, [action.isBusy])
  return (
    <form
      class="stack-tight"
      onChange={(event) => submit(event.currentTarget)}
      onSubmit={(event) => {
        event.preventDefault()
        submit(event.currentTarget)
      }}
    >
      {children(draft, (next) => {
        change(next)
        setIsSaved(false)
      })}
      <p class="hint ok" role="status">
        {isSaved && t('saved')}
      </p>
      {action.error !== null && <Problem error={action.error} />}
    </form>
  )
}
