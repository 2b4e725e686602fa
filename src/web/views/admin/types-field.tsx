import { useRef, useState } from 'preact/hooks'
import { t } from '../../lib/i18n.ts'
import { readKinds } from '../../lib/kinds.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import * as icons from '../../ui/icons.ts'

/** File extensions as chips; pressing one removes it. */
export function TypesField(props: {
  readonly label: string
  readonly value: readonly string[]
  readonly onValue: (value: readonly string[]) => void
}) {
  const { label, value, onValue } = props
  const [typed, setTyped] = useState('')
  const box = useRef<HTMLFieldSetElement>(null)
  const focusField = () => box.current?.querySelector('input')?.focus()
  const add = () => {
    const types = readKinds(typed)
    setTyped('')
    if (types.length > 0) onValue([...new Set([...value, ...types])])
    focusField()
  }
  return (
    <fieldset
      class="field"
      ref={box}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
        event.preventDefault()
        add()
      }}
    >
      <legend>{label}</legend>
      {value.length === 0 && <p class="faint">{t('set.blocked.none')}</p>}
      <ul class="row-wrap">
        {value.map((type) => (
          <li key={type}>
            <button
              type="button"
              class="chip"
              aria-label={`${t('remove')}: ${type}`}
              onClick={() => {
                onValue(value.filter((other) => other !== type))
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
          onValue={setTyped}
        />
        <Button label={`${t('add')}: ${label}`} onClick={add}>
          {t('add')}
        </Button>
      </div>
    </fieldset>
  )
}
