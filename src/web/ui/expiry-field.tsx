import { useId } from 'preact/hooks'
import { editable, type Editable } from '../lib/editable.ts'
import * as times from '../lib/expiry.ts'
import { language, t } from '../lib/i18n.ts'
import type { Limits } from '../lib/limits.ts'
import { Field } from './field.tsx'

const dateOf = (day: times.Until) => day.slice('until '.length)

/** When a link expires: after a common time, or at the end of a day. */
export function ExpiryField(props: {
  readonly limits: Limits
  /** Null for an end of which the choice is not known. */
  readonly value: Editable<times.Expiry | times.Until | null>
  readonly end?: string | null
}) {
  const { limits, value } = props
  const id = useId()
  const chosen = value.value
  const end = chosen ? times.endTime(chosen) : (props.end ?? null)
  const days = times.allowedDays(limits)
  const isDate = chosen !== null && times.isDay(chosen)
  const pill = (
    text: string,
    isChosen: boolean,
    choose: () => times.Expiry | times.Until,
    look = '',
  ) => (
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
      <legend>{times.sayEnd(end)}</legend>
      <div class="chips">
        {times
          .expiryOptions(limits, isDate ? null : chosen, times.commonExpiries)
          .map(([expiry, text]) => pill(text, chosen === expiry, () => expiry))}
        {times.hasDays(days) &&
          pill(t('expiry.date'), isDate, () => times.endDay(end, limits), 'day')}
      </div>
      {isDate && (
        <Field
          label={t('expiry.day')}
          type="date"
          required
          min={dateOf(days.first)}
          max={days.last ? dateOf(days.last) : '9999-12-31'}
          // Empty while it is incomplete, and longer with a digit too many in the year.
          value={editable(
            dateOf(chosen),
            (date) => date.length === 10 && (value.value = `until ${date}`),
          )}
        />
      )}
    </fieldset>
  )
}
