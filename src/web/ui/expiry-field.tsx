import { useId } from 'preact/hooks'
import { editable, type Editable } from '../lib/editable.ts'
import {
  allowedDays,
  commonExpiries,
  endDay,
  endTime,
  hasDays,
  isDay,
  sayEnd,
  type Days,
  type Expiry,
  type Until,
} from '../lib/expiry.ts'
import { language, t } from '../lib/i18n.ts'
import type { Limits } from '../lib/limits.ts'
import { Field } from './field.tsx'

/** When a link expires: after a common time, or at the end of a day. */
export function ExpiryField(props: {
  readonly limits: Limits
  readonly value: Editable<Expiry | Until>
}) {
  const { limits, value } = props
  const id = useId()
  const chosen = value.value
  const days = allowedDays(limits)
  const pill = (text: string, isChosen: boolean, choose: () => Expiry | Until, look = '') => (
    <label class={`choice ${look}`}>
      {text[0]!.toLocaleUpperCase(language) + text.slice(1)}
      <input
        class="visually-hidden"
        type="radio"
        name={id}
        checked={isChosen}
        onChange={() => (value.value = choose())}
      />
    </label>
  )
  return (
    <fieldset class="field">
      <legend>{sayEnd(chosen)}</legend>
      <div class="chips">
        {commonExpiries(limits, chosen).map(([expiry, text]) =>
          pill(text, chosen === expiry, () => expiry),
        )}
        {hasDays(days) &&
          pill(t('expiry.date'), isDay(chosen), () => endDay(endTime(chosen), limits), 'day')}
      </div>
      {isDay(chosen) && (
        <DayField {...days} value={editable(chosen, (day) => (value.value = day))} />
      )}
    </fieldset>
  )
}

/** The last day of a link. */
export function DayField({ first, last, value }: Days & { readonly value: Editable<Until> }) {
  const dateOf = (day: Until) => day.slice('until '.length)
  return (
    <Field
      label={t('expiry.day')}
      type="date"
      required
      min={dateOf(first)}
      max={last ? dateOf(last) : undefined}
      // While a date is incomplete the field is empty; it says so when the form is sent.
      value={editable(dateOf(value.value), (date) => date && (value.value = `until ${date}`))}
    />
  )
}
