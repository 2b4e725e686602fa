import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { Icon, type IconName } from './icon.tsx'

/** Buttons and links behind one button. The browser closes it: by Esc, or a click elsewhere. */
export function Menu(props: {
  readonly label: string
  readonly children: ComponentChildren
  readonly icon?: IconName
  /** Whether the label is shown beside the icon. */
  readonly isNamed?: boolean
}) {
  const { label, icon = 'more', isNamed } = props
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
        <Icon name={icon} />
        {isNamed && label}
      </button>
      <div id={id} ref={box} class="menu" popover="auto" onClick={() => box.current?.hidePopover()}>
        {props.children}
      </div>
    </>
  )
}
