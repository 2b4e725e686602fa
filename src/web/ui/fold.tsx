import type { ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'
import * as icons from './icons.ts'

/** A row that opens what is rarely needed; it opens itself when a field in it is invalid. */
export const Fold = (props: {
  readonly text: ComponentChildren
  readonly isOpen?: boolean | undefined
  readonly children: ComponentChildren
}) => (
  <details
    class="fold"
    open={props.isOpen}
    onInvalidCapture={(event) => (event.currentTarget.open = true)}
  >
    <summary>
      {props.text}
      <Icon path={icons.next} />
    </summary>
    {props.children}
  </details>
)
