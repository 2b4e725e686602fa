import { member, type Editable } from '../../lib/editable.ts'
import { t, type TextKey } from '../../lib/i18n.ts'
import { Check, Field } from '../../ui/field.tsx'
import type { RequiredField } from './request.tsx'

export { gigabytesOf, readGigabytes, readKinds } from '../../lib/kinds.ts'

export interface PartProps<T> {
  readonly value: Editable<T>
}

type TextProps = PartProps<string>

export function Name(props: TextProps) {
  return <Field {...props} label={t('requests.name')} maxLength={200} />
}

/** Total size limit of all deliveries in gigabytes; empty for none. */
export function MaxSize(props: TextProps) {
  return (
    <Field
      {...props}
      label={t('requests.max_size')}
      type="number"
      inputMode="decimal"
      min={1e-9}
      max={9e6}
      step="any"
      hint={t('requests.max_size_hint')}
    />
  )
}

const textOf = (label: TextKey) => (props: TextProps) => (
  <Field {...props} label={t(label)} lines={3} maxLength={10_000} />
)

/** Messages to guests: after their delivery, and before they send. */
export const Thanks = textOf('requests.thanks')
export const Instructions = textOf('requests.instructions')

export function Kinds(props: TextProps) {
  return (
    <Field
      {...props}
      label={t('requests.kinds')}
      placeholder="pdf, docx"
      pattern="[\w\s.,;+*\-]*"
      hint={t('requests.kinds_hint')}
    />
  )
}

const demands = [
  ['name', 'common.name'],
  ['email', 'common.email'],
  ['note', 'requests.note'],
] as const

/** Required fields for guests. */
export function Demands({ value: chosen }: PartProps<readonly RequiredField[]>) {
  return (
    <fieldset>
      <legend>{t('requests.requiredFields')}</legend>
      {demands.map(([field, text]) => (
        <Check key={field} label={t(text)} checked={member(chosen, field)} />
      ))}
    </fieldset>
  )
}

const checkOf =
  (label: TextKey, hint?: TextKey) =>
  ({ value }: PartProps<boolean>) => (
    <Check checked={value} label={t(label)} hint={hint && t(hint)} />
  )

export const Once = checkOf('requests.once')
export const AllowSharing = checkOf('requests.allow_sharing', 'requests.allow_sharing_hint')
export const Notify = checkOf('requests.notify')
