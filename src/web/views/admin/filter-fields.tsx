import { useId } from 'preact/hooks'
import { t } from '../../lib/i18n.ts'
import { query } from '../../lib/router.ts'

interface FilterProps {
  /** Name of the query parameter. */
  readonly name: string
  readonly label: string
}

export function FilterField(props: FilterProps & { readonly type?: 'date' | 'search' }) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <input
        id={id}
        type={props.type as 'text'}
        name={props.name}
        placeholder={props.type === 'search' ? props.label : undefined}
        maxLength={254}
        defaultValue={query(props.name)}
      />
    </div>
  )
}

export function FilterSelect(
  props: FilterProps & { readonly options: readonly (readonly [value: string, text: string])[] },
) {
  const id = useId()
  const chosen = query(props.name)
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <select id={id} name={props.name}>
        <option value="">{t('admin.all')}</option>
        {props.options.map(([value, text]) => (
          <option key={value} value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}
