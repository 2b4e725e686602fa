import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { Icon } from './icon.tsx'
import * as icons from './icons.ts'
import type { IconPath } from './icons.ts'

/** Buttons and links behind one button. The browser closes it: by Esc, or a click elsewhere. */
export function Menu(props: {
  readonly label: string
  readonly children: ComponentChildren
  readonly icon?: IconPath
  /** Whether the label is shown beside the icon. */
  readonly isNamed?: boolean
}) {
  const { label, icon = icons.more, isNamed } = props
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  return (
    <>
      <button
        type="button"
        class={isNamed ? 'button quiet' : 'button quiet icon-only'}
        aria-label={label}
        title={label}
        popovertarget={id}
      >
        <Icon path={icon} />
        {isNamed && label}
      </button>
      <div id={id} ref={box} class="menu" popover="auto" onClick={() => box.current?.hidePopover()}>
        {props.children}
      </div>
    </>
  )
}
