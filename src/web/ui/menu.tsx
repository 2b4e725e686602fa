import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { Icon } from './icon.tsx'
import * as icons from './icons.ts'

/** Buttons and links behind one button. The browser closes it, by Esc or a click elsewhere. */
export function Menu(props: {
  readonly label: string
  readonly children: ComponentChildren
  /** Initials in place of the icon. */
  readonly face?: string
}) {
  const { label, face, children } = props
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  return (
    <>
      <button
        type="button"
        class={face ? 'button me' : 'button quiet icon-only'}
        // Drawn by the style: to be heard, they would have to be in the name.
        data-face={face}
        aria-label={label}
        title={label}
        popovertarget={id}
      >
        {!face && <Icon path={icons.more} />}
      </button>
      <div id={id} ref={box} class="menu" popover="auto" onClick={() => box.current?.hidePopover()}>
        {children}
      </div>
    </>
  )
}
