import { member, type Editable } from '../../lib/editable.ts'
import { t } from '../../lib/i18n.ts'
import { Check, Field } from '../../ui/field.tsx'
import type { RequiredField } from './request.tsx'

export { readKinds } from '../../lib/kinds.ts'

export interface PartProps<T> {
  readonly value: Editable<T>
}

type TextProps = PartProps<string>

const gigabyte = 1e9

export const readGigabytes = (typed: string) => Math.round(Number(typed) * gigabyte)
export const gigabytesOf = (bytes: number) => (bytes === 0 ? '' : String(bytes / gigabyte))

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
      min={1 / gigabyte}
      max={9e6}
      step="any"
      hint={t('requests.max_size_hint')}
    />
  )
}

/** Message to guests after their delivery. */
export function Thanks(props: TextProps) {
  return <Field {...props} label={t('requests.thanks')} lines={3} maxLength={10_000} />
}

/** Message to guests before they send. */
export function Instructions(props: TextProps) {
  return <Field {...props} label={t('requests.instructions')} lines={3} maxLength={10_000} />
}

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

/** Required fields for guests. */
export function Demands({ value: chosen }: PartProps<readonly RequiredField[]>) {
  return (
    <fieldset>
      <legend>{t('requests.requiredFields')}</legend>
      {(['name', 'email', 'note'] as const).map((field) => (
        <Check
          key={field}
          label={t(field === 'note' ? 'requests.note' : field)}
          checked={member(chosen, field)}
        />
      ))}
    </fieldset>
  )
}

export function Once({ value }: PartProps<boolean>) {
  return <Check checked={value} label={t('requests.once')} />
}

export function AllowSharing({ value }: PartProps<boolean>) {
  return (
    <Check
      checked={value}
      label={t('requests.allow_sharing')}
      hint={t('requests.allow_sharing_hint')}
    />
  )
}

export function Notify({ value }: PartProps<boolean>) {
  return <Check checked={value} label={t('requests.notify')} />
}
