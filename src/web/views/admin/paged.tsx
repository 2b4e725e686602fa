import type { ComponentChildren } from 'preact'
import { useRef, useId } from 'preact/hooks'
import { apiPage } from '../../lib/api.ts'
import { t } from '../../lib/i18n.ts'
import { place, setQuery, query } from '../../lib/router.ts'
import { Button } from '../../ui/button.tsx'
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
        <option value="">{t('shares.filter.all')}</option>
        {props.options.map(([value, text]) => (
          <option key={value} value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}
