import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { apiPage } from '../lib/api.ts'
import { deletionError } from '../lib/deletion.ts'
import { t } from '../lib/i18n.ts'
import { place, query, setQuery } from '../lib/router.ts'
import { Button } from './button.tsx'
import { Problem, useAction, useLoad, type Loaded } from './state.tsx'
import * as icons from './icons.ts'

const pageRows = 50

/** A sortable column: ascending, then descending. The choice is stored in the address. */
export function SortHeader(props: { readonly by: string; readonly children: ComponentChildren }) {
  const sort = query('sort')
  const { by } = props
  const isUp = sort === by
  const isDown = sort === `-${by}`
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={isUp ? 'ascending' : isDown ? 'descending' : undefined}
    >
      {/* Below the width of a table, heads are only read out. */}
      <span class="narrow-head">{props.children}</span>
      <button
        type="button"
        class="sort"
        onClick={() => setQuery({ sort: isUp ? `-${by}` : by, page: '' })}
      >
        {props.children}
        <span aria-hidden="true">{isUp ? ' ↑' : isDown && ' ↓'}</span>
      </button>
    </th>
  )
}

/** The rows of the page in the address, and the controls for other pages. */
export function usePage<T>(rows: readonly T[]): {
  readonly shown: readonly T[]
  readonly pager: ComponentChildren
} {
  const last = Math.max(1, Math.ceil(rows.length / pageRows))
  const page = Math.min(last, Math.max(1, Math.floor(Number(query('page')) || 1)))
  const from = (page - 1) * pageRows
  const shown = rows.slice(from, from + pageRows)
  const goTo = (to: number) => {
    setQuery({ page: to === 1 ? '' : String(to) })
    scrollTo(0, 0)
  }
  if (last === 1) return { shown, pager: null }
  const pager = (
    <nav class="row" aria-label={t('manage.pages')}>
      <Button icon={icons.back} disabled={page === 1} onClick={() => goTo(page - 1)}>
        {t('common.back')}
      </Button>
      <span class="count" role="status">
        {t('manage.range', { from: from + 1, to: from + shown.length, all: rows.length })}
      </span>
      <Button disabled={page === last} onClick={() => goTo(page + 1)}>
        {t('common.next')}
      </Button>
    </nav>
  )
  return { shown, pager }
}

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
        {t('common.more')}
      </Button>
    </div>
  )
  return { ...loaded, more }
}

export function RowProblems({ error }: { readonly error: unknown }) {
  return <Problem error={error ?? deletionError.value} />
}
