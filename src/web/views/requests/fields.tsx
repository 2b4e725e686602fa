import { t } from '../../lib/i18n.ts'
import { Check, Field } from '../../ui/field.tsx'
import type { Demand } from './request.tsx'

interface TextProps {
  readonly value: string
  readonly onValue: (value: string) => void
}

const megabyte = 1_000_000

export const readMegabytes = (typed: string) => Math.round(Number(typed) * megabyte)
export const megabytesOf = (bytes: number) => (bytes === 0 ? '' : String(bytes / megabyte))

/** What is taken of all guests together, in megabytes; empty for no limit. */
export function MaxSize(props: TextProps) {
  return (
    <Field
      {...props}
      label={t('requests.max_size')}
      type="number"
      inputMode="decimal"
      min={1}
      max={9e9}
      hint={t('requests.max_size_hint')}
    />
  )
}

/** What guests read once they have sent everything. */
export function Thanks(props: TextProps) {
  return <Field {...props} label={t('requests.thanks')} lines={2} maxLength={10_000} />
}

/** What guests read before they send. */
export function Instructions(props: TextProps) {
  return <Field {...props} label={t('requests.instructions')} lines={3} maxLength={10_000} />
}

/** Kinds of files as people write them: `pdf, .docx *.JPG`. */
export const readKinds = (typed: string) =>
  typed
    .toLowerCase()
    .split(/[\s,;]+/)
    .map((kind) => kind.replace(/^\*?\./, ''))
    .filter(Boolean)

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

/** What guests cannot leave out. */
export function Demands(props: {
  readonly value: readonly Demand[]
  readonly onValue: (value: readonly Demand[]) => void
}) {
  const { value, onValue } = props
  return (
    <fieldset>
      <legend>{t('requests.demands')}</legend>
      {(['name', 'email', 'note'] as const).map((demand) => (
        <Check
          key={demand}
          label={t(demand === 'note' ? 'requests.note' : demand)}
          checked={value.includes(demand)}
          onChecked={(isOn) =>
            onValue(isOn ? [...value, demand] : value.filter((other) => other !== demand))
          }
        />
      ))}
    </fieldset>
  )
}

export function Once(props: { checked: boolean; onChecked: (checked: boolean) => void }) {
  return <Check {...props} label={t('requests.once')} />
}

export function Notify(props: { checked: boolean; onChecked: (checked: boolean) => void }) {
  return <Check {...props} label={t('requests.notify')} />
}
