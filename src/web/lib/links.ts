import { options } from 'preact'
import { addressOf } from './base-path.ts'

/** Lets views write paths without the base path: called once, before a page draws anything. */
export function linkToBase(): void {
  const before = options.vnode?.bind(options)
  options.vnode = (node) => {
    const props = node.props as Record<string, string | undefined>
    for (const name of typeof node.type === 'string' ? ['href', 'src', 'srcset'] : []) {
      if (props[name]) props[name] = addressOf(props[name])
    }
    before?.(node)
  }
}
