import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { editable, type Editable } from '../lib/editable.ts'
import { t } from '../lib/i18n.ts'
import { useSignal } from '../lib/signals.ts'
import { Problem, useAction } from './state.tsx'

interface SavedProps<T> {
  /** The service's value. */
  readonly value: T
  /** Resolves with false when it was not saved. */
  readonly save: (value: T) => Promise<boolean>
  readonly children: (draft: Editable<T>) => ComponentChildren
}

/** A field that is saved separately, when it is left or by Enter. */
export function Saved<T>({ value, save, children }: SavedProps<T>) {
  const draft = useSignal(value)
  const isSaved = useSignal(false)
  // Last value that was saved or sent: a different draft is still being edited, and stays.
  const told = useRef(value)
  const again = useRef<HTMLFormElement | null>(null)
  const isSaving = useRef(false)
  const action = useAction()
  useEffect(() => {
    // May have been loaded before this was saved.
    if (isSaving.current) return
    if (draft.value === told.current) draft.value = value
    told.current = value
  }, [value])
  const submit = (form: HTMLFormElement) => {
    if (isSaving.current) {
      // Enter is both a change and a submit: a value being sent is not sent twice.
      again.current = draft.value === told.current ? null : form
      return
    }
    const sent = draft.value
    if (sent === value || !form.reportValidity()) return
    isSaving.current = true
    told.current = sent
    void action.run(async () => {
      try {
        isSaved.value = (await save(sent)) && draft.value === sent
      } finally {
        isSaving.current = false
      }
    })
  }
  // After the saved value has come back, later changes are compared with it.
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
      {children(
        editable(draft.value, (next) => {
          draft.value = next
          isSaved.value = false
        }),
      )}
      <p class="hint ok" role="status">
        {isSaved.value && t('common.saved')}
      </p>
      <Problem error={action.error} />
    </form>
  )
}
