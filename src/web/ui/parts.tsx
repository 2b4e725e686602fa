import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { go } from '../lib/router.ts'
import { signal } from '../lib/signals.ts'
import { BackTo } from './button.tsx'
import { Icon } from './icon.tsx'
import * as icons from './icons.ts'

const phone = matchMedia('(width < 52rem)')
/** There, and at 200 %, the parts are a list of which each opens as a page. */
export const isPhone = signal(phone.matches)
phone.addEventListener('change', () => (isPhone.value = phone.matches))

/** The part that is shown; on phones null for the list of all. */
export function usePart<Name extends string>(
  path: string,
  names: readonly Name[],
  wanted: string | undefined,
): Name | null {
  const found = names.find((name) => name === wanted)
  // A window that becomes narrow then keeps the part, with what was typed into it.
  useEffect(() => {
    if (!isPhone.value && !found) go(`${path}/${names[0]}`, { replace: true })
  }, [wanted])
  return found ?? (isPhone.value ? null : names[0]!)
}

interface PartsProps<Name extends string> {
  readonly title: string
  /** Address of the list; each part is below it. */
  readonly path: string
  readonly names: readonly Name[]
  readonly textOf: (name: Name) => string
  readonly current: Name | null
  /** After the parts in wide windows. */
  readonly more?: ComponentChildren
}

/** Leads to the parts of a view: tabs, and on phones a list and the way back to it. */
export function Parts<Name extends string>(props: PartsProps<Name>) {
  const { title, path, names, textOf, current, more } = props
  if (isPhone.value && current) return <BackTo href={path} text={title} />
  return (
    <nav class={isPhone.value ? 'parts' : 'tabs'} aria-label={title}>
      {names.map((name) => (
        <a key={name} href={`${path}/${name}`} aria-current={name === current ? 'page' : undefined}>
          {textOf(name)}
          {isPhone.value && <Icon path={icons.next} />}
        </a>
      ))}
      {!isPhone.value && more}
    </nav>
  )
}
