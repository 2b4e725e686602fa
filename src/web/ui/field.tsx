import { useEffect, useId, useRef } from 'preact/hooks'
import type { ComponentChildren } from 'preact'
import type { Editable } from '../lib/editable.ts'
import { t } from '../lib/i18n.ts'
import { useSignal } from '../lib/signals.ts'

interface FieldProps {
  readonly label: string
  readonly type?: 'text' | 'email' | 'password' | 'number' | 'search' | 'url' | 'date'
  readonly value: Editable<string>
  readonly hint?: ComponentChildren
  readonly name?: string
  /** Error of the value, tied to the field and read out. */
  readonly problem?: string | undefined
  /** For a multi-line text: number of visible lines. */
  readonly lines?: number
  /** Buttons within the field, whose label is only read out. */
  readonly tools?: ComponentChildren
  readonly required?: boolean
  readonly readOnly?: boolean
  readonly disabled?: boolean
  readonly autoFocus?: boolean
  readonly autoComplete?: string
  readonly inputMode?: 'numeric' | 'decimal' | 'email'
  readonly placeholder?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly min?: number | string
  readonly max?: number | string | undefined
  readonly step?: number | 'any'
  readonly pattern?: string
}

export function Field({ label, value, hint, problem, lines, tools, ...rest }: FieldProps) {
  const id = useId()
  const isShown = useSignal(false)
  const input = useRef<HTMLInputElement>(null)
  /** What the browser would say in a bubble of its own. */
  const complaint = useSignal('')
  const said = problem ?? (complaint.value || undefined)
  const isPassword = rest.type === 'password'
  // Browsers respect the attribute only in the first field of a page, and in dialogs.
  useEffect(() => {
    if (rest.autoFocus) input.current?.focus()
  }, [rest.autoFocus])
  const shared = {
    id,
    value: value.value,
    'aria-invalid': said ? ('true' as const) : undefined,
    'aria-describedby': describe(id, hint, said),
    onInvalid: (event: InvalidEvent) => (complaint.value = complain(event, hint)),
  }
  const take = (event: { readonly currentTarget: { readonly value: string } }) => {
    complaint.value = ''
    value.value = event.currentTarget.value
  }
  return (
    <div class="field">
      <label for={id} class={tools ? 'visually-hidden' : undefined}>
        {label}
      </label>
      <div class={isPassword || tools ? 'within' : 'row-tight'}>
        {lines ? (
          <textarea
            {...shared}
            rows={lines}
            required={rest.required}
            maxLength={rest.maxLength}
            onInput={take}
          />
        ) : (
          <input
            {...(rest as { type: 'text' })}
            {...shared}
            ref={input}
            // Preact's types differ by input type; these attributes fit all of them.
            type={(isPassword && isShown.value ? 'text' : rest.type) as 'text'}
            onInput={take}
          />
        )}
        {isPassword && (
          <button
            type="button"
            class="button quiet"
            aria-pressed={isShown.value}
            onClick={() => (isShown.value = !isShown.value)}
          >
            {isShown.value ? t('common.hide') : t('common.show')}
          </button>
        )}
        {tools}
      </div>
      <Notes id={id} hint={hint} problem={said} />
    </div>
  )
}

type InvalidEvent = { readonly currentTarget: HTMLInputElement | HTMLTextAreaElement } & Event

/** Says it below the field instead, and focuses the first invalid field of the form. */
function complain(event: InvalidEvent, hint: ComponentChildren): string {
  event.preventDefault()
  const { currentTarget: field } = event
  const { validity, validationMessage } = field
  if (field.form?.querySelector('input:invalid, textarea:invalid') === field) field.focus()
  if (validity.valueMissing) return t('field.missing')
  if (validity.typeMismatch && field.type === 'email') return t('field.email')
  if (validity.tooShort) return t('field.short', { n: field.minLength })
  // It names what fits, and the browser does not know.
  if (validity.patternMismatch && typeof hint === 'string') return hint
  return validationMessage
}

interface FieldOf extends Omit<FieldProps, 'label' | 'type'> {
  /** Pages that give one need no text of the field's own. */
  readonly label?: string
}

/** At most as long as email can be sent to (RFC 5321, section 4.5.3.1). */
export function EmailField(props: FieldOf) {
  return <Field label={t('common.email')} type="email" maxLength={254} required {...props} />
}

/** In a row that shows no labels. */
export function SearchField(props: FieldOf & { readonly label: string }) {
  return <Field type="search" placeholder={props.label} {...props} />
}

export function NameField({ label = t('common.name'), ...props }: FieldOf) {
  return <Field label={label} maxLength={200} required {...props} />
}

/** For password managers, which save it with the password. */
export function OwnEmail({ email }: { readonly email: string }) {
  return <EmailField autoComplete="username" readOnly value={{ value: email }} />
}

/** The password of the account. */
export function PasswordField(props: FieldOf) {
  return (
    <Field
      label={t('common.password')}
      type="password"
      autoComplete="current-password"
      {...props}
    />
  )
}

/** A code of an authenticator app, or a recovery code. */
export function CodeField({ label = t('session.code'), ...props }: FieldOf) {
  return <Field label={label} autoComplete="one-time-code" maxLength={100} required {...props} />
}

/** A password that its holder chooses. */
export function NewPasswordField(props: FieldOf) {
  const shared = { type: 'password', autoComplete: 'new-password', maxLength: 256 } as const
  return <Field label={t('common.password')} {...shared} {...props} />
}

interface SelectProps<Value extends string> {
  readonly label: string
  readonly value: Editable<Value>
  readonly options: readonly (readonly [value: Value, text: string])[]
  readonly hint?: ComponentChildren
  readonly name?: string
}

/** Options with their texts. */
export const optionsOf = <const Value extends string>(
  values: readonly Value[],
  textOf: (value: Value) => string,
) => values.map((value) => [value, textOf(value)] as const)

export function Select<Value extends string>(props: SelectProps<Value>) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <select
        id={id}
        name={props.name}
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

/** A row of options that is on or off. */
export function Switch(props: { readonly label: string; readonly checked: Editable<boolean> }) {
  return (
    <label class="switch">
      {props.label}
      <input
        type="checkbox"
        role="switch"
        checked={props.checked.value}
        onChange={(event) => (props.checked.value = event.currentTarget.checked)}
      />
    </label>
  )
}

function describe(id: string, hint: unknown, problem: unknown): string | undefined {
  const ids = [hint ? `${id}-hint` : '', problem ? `${id}-problem` : ''].filter(Boolean)
  return ids.join(' ') || undefined
}

function Notes(props: { id: string; hint: ComponentChildren; problem: string | undefined }) {
  return (
    <>
      {props.hint && props.hint !== props.problem && (
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
