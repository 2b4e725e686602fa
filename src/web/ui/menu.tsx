import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { Icon } from './icon.tsx'

/** Buttons and links behind one button. The browser closes it: by Esc, or a click elsewhere. */
export function Menu({ label, children }: { label: string; children: ComponentChildren }) {
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  return (
    <>
      <button
        type="button"
        class="button quiet icon-only"
        aria-label={label}
        title={label}
        popovertarget={id}
      >
        <Icon name="more" />
      </button>
      <div id={id} ref={box} class="menu" popover="auto" onClick={() => box.current?.hidePopover()}>
        {children}
      </div>
    </>
  )
}
