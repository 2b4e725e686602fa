import { addressOf, pathAt } from './base-path.ts'
import { signal } from './signals.ts'

/** The app's location: path and query of the address, without host and base path. */
export const place = signal(here())

let hold: ((address: string) => void) | null = null

/**
 * Blocks navigation away from the address, and calls `ask` with the target instead. The returned
 * function ends the block.
 */
export function holdLeaving(ask: (address: string) => void): () => void {
  hold = ask
  return () => {
    if (hold === ask) hold = null
  }
}

/** Goes to an address of this app without loading a page. */
export function go(path: string, options: { replace?: boolean } = {}): void {
  const address = addressOf(path)
  if (hold && !options.replace) return hold(address)
  if (options.replace) history.replaceState(null, '', address)
  else history.pushState(null, '', address)
  update()
  if (!options.replace) scrollTo(0, 0)
}

/** Changes parameters of the query in place, for filters and sorting. */
export function setQuery(changes: Record<string, string>): void {
  const query = new URLSearchParams(place.value.search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') query.delete(name)
    else query.set(name, value)
  }
  const text = query.toString()
  go(`${place.value.path}${text ? `?${text}` : ''}`, { replace: true })
}

export const query = (name: string) => new URLSearchParams(place.value.search).get(name) ?? ''

/** The parameters of a path that matches a pattern like `/shares/:id`, or null. */
export function match(pattern: string, path: string): Record<string, string> | null {
  const wanted = pattern.split('/')
  const given = path.replace(/(.)\/$/, '$1').split('/')
  if (wanted.length !== given.length) return null
  const params: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const value = given[index]!
    if (!part.startsWith(':')) {
      if (part !== value) return null
      continue
    }
    try {
      params[part.slice(1)] = decodeURIComponent(value)
    } catch {
      // A malformed address, for example `/shares/%`, matches nothing.
      return null
    }
  }
  return params
}

/** Handles plain clicks on the app's links; the browser handles everything else. */
export function followLinks(isOurs: (path: string) => boolean): void {
  addEventListener('popstate', followBack)
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest?.('a')
    const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
    if (!link || event.defaultPrevented || event.button !== 0 || !isPlain) return
    if (link.target || link.hasAttribute('download') || link.origin !== location.origin) return
    if (!isOurs(pathAt(link.pathname)) || link.hash) return
    event.preventDefault()
    go(link.pathname + link.search)
  })
}

function followBack(): void {
  if (!hold) return update()
  // The browser has already left: go back until the user has decided.
  const wanted = location.pathname + location.search
  history.pushState(null, '', addressOf(place.value.path + place.value.search))
  hold(wanted)
}

function update(): void {
  place.value = here()
}

function here() {
  return { path: pathAt(location.pathname), search: location.search }
}
