import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { t } from '../../lib/i18n.ts'
import { setQuery, query } from '../../lib/router.ts'
import { useSignal } from '../../lib/signals.ts'
import { Field, Select } from '../../ui/field.tsx'

/** Fields named after query parameters: a change puts all of them into the address. */
export function Filters(props: { readonly class: string; readonly children: ComponentChildren }) {
  const apply = (event: { currentTarget: HTMLFormElement; preventDefault(): void }) => {
    event.preventDefault()
    const fields = [...new FormData(event.currentTarget)] as [string, string][]
    setQuery(Object.fromEntries(fields.map(([name, value]) => [name, value.trim()])))
  }
  return (
    <form class={props.class} onChange={apply} onSubmit={apply}>
      {props.children}
    </form>
  )
}

interface FilterProps {
  /** Name of the query parameter. */
  readonly name: string
  readonly label: string
}

export function FilterField(props: FilterProps & { readonly type?: 'date' | 'search' }) {
  const placeholder = props.type === 'search' ? props.label : undefined
  return <Field {...props} {...{ placeholder }} maxLength={254} value={useFilter(props.name)} />
}

export function FilterSelect(
  props: FilterProps & { readonly options: readonly (readonly [value: string, text: string])[] },
) {
  const options = [['', t('shares.filter.all')] as const, ...props.options]
  return <Select {...props} options={options} value={useFilter(props.name)} />
}

/** What is chosen before it is in the address, which a link may change. */
function useFilter(name: string) {
  const wanted = query(name)
  const chosen = useSignal(wanted)
  useEffect(() => void (chosen.value = wanted), [wanted])
  return chosen
}
