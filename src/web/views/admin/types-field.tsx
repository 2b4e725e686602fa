import { useRef } from 'preact/hooks'
import type { Editable } from '../../lib/editable.ts'
import { t } from '../../lib/i18n.ts'
import { readKinds } from '../../lib/kinds.ts'
import { useSignal } from '../../lib/signals.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import * as icons from '../../ui/icons.ts'

/** File extensions as chips; pressing one removes it. */
export function TypesField(props: {
  readonly label: string
  readonly value: Editable<readonly string[]>
}) {
  const { label, value } = props
  const typed = useSignal('')
  const box = useRef<HTMLFieldSetElement>(null)
  const focusField = () => box.current?.querySelector('input')?.focus()
  const add = () => {
    const types = readKinds(typed.value)
    typed.value = ''
    if (types.length > 0) value.value = [...new Set([...value.value, ...types])]
  }
  return (
    <fieldset
      class="field"
      ref={box}
      // Also what is typed, and not added by its button.
      onChange={add}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
        event.preventDefault()
        add()
      }}
    >
      <legend>{label}</legend>
      {value.value.length === 0 && <p class="faint">{t('set.blocked.none')}</p>}
      <ul class="chips">
        {value.value.map((type) => (
          <li key={type}>
            <button
              type="button"
              class="chip"
              aria-label={`${t('remove')}: ${type}`}
              onClick={() => {
                value.value = value.value.filter((other) => other !== type)
                focusField()
              }}
            >
              {type} <Icon path={icons.close} />
            </button>
          </li>
        ))}
      </ul>
      <div class="measure">
        <Field
          label={t('settings.add_type')}
          hint={t('set.blocked.hint')}
          maxLength={400}
          value={typed}
        />
        <Button
          label={`${t('add')}: ${label}`}
          onClick={() => {
            add()
            focusField()
          }}
        >
          {t('add')}
        </Button>
      </div>
    </fieldset>
  )
}
