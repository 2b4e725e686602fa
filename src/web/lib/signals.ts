// State that draws again what has read it. The library @preact/signals does the same, and much that
// no page uses: it is 2.5 KB more for each.
import { options, type Component, type VNode } from 'preact'
import { useMemo } from 'preact/hooks'

export interface Signal<T> {
  value: T
}

/** An effect, or a component while it renders. */
interface Reader {
  readonly notify: () => void
  /** The readers of each signal that it has read. */
  readonly read: Set<Set<Reader>>
}

let reader: Reader | null = null

function forget(one: Reader): void {
  for (const readers of one.read) readers.delete(one)
  one.read.clear()
}

export function signal<T>(value: T): Signal<T> {
  const readers = new Set<Reader>()
  return {
    get value() {
      if (reader) {
        readers.add(reader)
        reader.read.add(readers)
      }
      return value
    },
    set value(next) {
      if (Object.is(value, next)) return
      value = next
      // One that is notified may end others, and reads again.
      const due = [...readers]
      for (const one of due) if (readers.has(one)) one.notify()
    },
  }
}

export function useSignal<T>(value: T): Signal<T> {
  return useMemo(() => signal(value), [])
}

/** Runs now, and whenever a signal changes that it has read. Returns what ends that. */
export function effect(run: () => void): () => void {
  const own: Reader = {
    read: new Set(),
    notify() {
      forget(own)
      const outer = reader
      reader = own
      try {
        run()
      } finally {
        reader = outer
      }
    },
  }
  own.notify()
  return () => forget(own)
}

export function computed<T>(compute: () => T): Readonly<Signal<T>> {
  const result = signal(compute())
  effect(() => {
    result.value = compute()
  })
  return result
}

// Preact's own names, which its types leave out: `__r` is called before a component renders, and
// `__c` is that component.
type Hook = (vnode: VNode & { __c?: Component & { reader?: Reader } }) => void
const hooks: { __r?: Hook; diffed?: Hook; unmount?: Hook } = options

function extend(name: keyof typeof hooks, hook: Hook): void {
  const before = hooks[name]
  hooks[name] = (vnode) => {
    before?.(vnode)
    hook(vnode)
  }
}

extend('__r', ({ __c: component }) => {
  if (!component) return
  reader = component.reader ??= { read: new Set(), notify: () => component.setState({}) }
  forget(reader)
})

extend('diffed', () => {
  reader = null
})

extend('unmount', ({ __c: component }) => {
  reader = null
  if (component?.reader) forget(component.reader)
})
