import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from './icon.tsx'
import * as icons from './icons.ts'

/** A row that opens what is rarely needed; it opens itself when a field in it is invalid. */
export function Fold(props: {
  readonly text: ComponentChildren
  readonly isOpen?: boolean | undefined
  readonly children: ComponentChildren
}) {
  const details = useRef<HTMLDetailsElement>(null)
  const open = () => (details.current!.open = true)
  // Only the user closes it, who may be in the middle of it.
  useLayoutEffect(() => void (props.isOpen && open()), [props.isOpen])
  return (
    <details ref={details} class="fold" onInvalidCapture={open}>
      <summary>
        {props.text}
        <Icon path={icons.next} />
      </summary>
      {props.children}
    </details>
  )
}
