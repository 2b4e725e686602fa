import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { apiPage } from '../../lib/api.ts'
import { t } from '../../lib/i18n.ts'
import { place, setQuery, query } from '../../lib/router.ts'
import { useSignal } from '../../lib/signals.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Problem, useAction, useLoad, type Loaded } from '../../ui/state.tsx'

interface Rows<T> {
  readonly items: readonly T[]
  readonly next: string | null
}

/** A list that grows by pages, with its filters in the query of the address. */
export function usePages<T>(path: string): Loaded<Rows<T>> & { more: ComponentChildren } {
  const { search } = place.value
  const loaded = useLoad<Rows<T>>(
    (signal) => apiPage<readonly T[]>(path + search, { signal }),
    [search],
  )
  const action = useAction()
  const { data, set } = loaded
  const latest = useRef(data)
  latest.current = data
  const load = async () => {
    const { next } = data!
    const page = await apiPage<readonly T[]>(next!)
    const now = latest.current
    // The filter was changed meanwhile, so these rows do not belong to it.
    if (now?.next !== next) return
    set({ items: [...now.items, ...page.items], next: page.next })
  }
  const more = data?.next && (
    <div>
      <Problem error={action.error} />
      <Button busy={action.isBusy} onClick={() => action.run(load)}>
        {t('admin.more')}
      </Button>
    </div>
  )
  return { ...loaded, more }
}

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

/** What is chosen before it is in the address. */
const useFilter = (name: string) => useSignal(query(name))
