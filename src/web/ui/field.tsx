import { useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import type { ComponentChildren } from 'preact'
import type { Editable } from '../lib/editable.ts'
import { t } from '../lib/i18n.ts'

interface FieldProps {
  readonly label: string
  readonly type?: 'text' | 'email' | 'password' | 'number' | 'search' | 'url'
  readonly value: Editable<string>
  readonly hint?: ComponentChildren
  /** Error of the value, tied to the field and read out. */
  readonly problem?: string | undefined
  /** For a multi-line text: number of visible lines. */
  readonly lines?: number
  readonly required?: boolean
  readonly readOnly?: boolean
  readonly disabled?: boolean
  readonly autoFocus?: boolean
  readonly autoComplete?: string
  readonly inputMode?: 'numeric' | 'decimal' | 'email'
  readonly placeholder?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly min?: number
  readonly max?: number
  readonly step?: number | 'any'
  readonly pattern?: string
}

/** A labelled input, or with `lines` a multi-line text. */
export function Field({ label, value, hint, problem, lines, ...rest }: FieldProps) {
  const id = useId()
  const isShown = useSignal(false)
  const input = useRef<HTMLInputElement>(null)
  const isPassword = rest.type === 'password'
  // Browsers respect the attribute only in the first field of a page, and in dialogs.
  useEffect(() => {
    if (rest.autoFocus) input.current?.focus()
  }, [])
  const shared = {
    id,
    value: value.value,
    'aria-invalid': problem ? ('true' as const) : undefined,
    'aria-describedby': describe(id, hint, problem),
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="row-tight">
        {lines ? (
          <textarea
            {...shared}
            rows={lines}
            required={rest.required}
            maxLength={rest.maxLength}
            onInput={(event) => (value.value = event.currentTarget.value)}
          />
        ) : (
          <input
            {...(rest as { type: 'text' })}
            {...shared}
            ref={input}
            // Preact's types differ by input type; these attributes fit all of them.
            type={(isPassword && isShown.value ? 'text' : rest.type) as 'text'}
            onInput={(event) => (value.value = event.currentTarget.value)}
          />
        )}
        {isPassword && (
          <button
            type="button"
            class="button quiet"
            aria-pressed={isShown.value}
            onClick={() => (isShown.value = !isShown.value)}
          >
            {isShown.value ? t('hide') : t('show')}
          </button>
        )}
      </div>
      <Notes id={id} hint={hint} problem={problem} />
    </div>
  )
}

interface SelectProps<Value extends string> {
  readonly label: string
  readonly value: Editable<Value>
  readonly options: readonly (readonly [value: Value, text: string])[]
  readonly hint?: ComponentChildren
}

export function Select<Value extends string>(props: SelectProps<Value>) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <select
        id={id}
        value={props.value.value}
        aria-describedby={describe(id, props.hint, undefined)}
        onChange={(event) => (props.value.value = event.currentTarget.value as Value)}
      >
        {props.options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      <Notes id={id} hint={props.hint} problem={undefined} />
    </div>
  )
}

interface CheckProps {
  readonly label: ComponentChildren
  readonly checked: Editable<boolean>
  readonly hint?: ComponentChildren
}

export function Check({ label, checked, hint }: CheckProps) {
  const id = useId()
  return (
    <div class="field">
      <label class="check">
        <input
          type="checkbox"
          checked={checked.value}
          aria-describedby={describe(id, hint, undefined)}
          onChange={(event) => (checked.value = event.currentTarget.checked)}
        />
        <span>{label}</span>
      </label>
      <Notes id={id} hint={hint} problem={undefined} />
    </div>
  )
}

function describe(id: string, hint: unknown, problem: unknown): string | undefined {
  const ids = [hint ? `${id}-hint` : '', problem ? `${id}-problem` : ''].filter(Boolean)
  return ids.join(' ') || undefined
}

function Notes(props: { id: string; hint: ComponentChildren; problem: string | undefined }) {
  return (
    <>
      {props.hint && (
        <p class="hint" id={`${props.id}-hint`}>
          {props.hint}
        </p>
      )}
      {props.problem && (
        <p class="problem-text" id={`${props.id}-problem`}>
          {props.problem}
        </p>
      )}
    </>
  )
}
