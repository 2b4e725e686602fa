import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { Icon } from './icon.tsx'
import * as icons from './icons.ts'
import type { IconPath } from './icons.ts'

/** Missing in Safari before 17 and Firefox before 125. */
const canPopOver = 'popover' in HTMLElement.prototype

/** Buttons and links behind one button. The browser closes it, by Esc or a click elsewhere. */
export function Menu(props: {
  readonly label: string
  readonly children: ComponentChildren
  readonly icon?: IconPath
  /** Whether the label is visible beside the icon. */
  readonly isNamed?: boolean
}) {
  const { label, icon = icons.more, isNamed, children } = props
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const look = {
    class: isNamed ? 'button quiet' : 'button quiet icon-only',
    'aria-label': label,
    title: label,
  }
  const face = (
    <>
      <Icon path={icon} />
      {isNamed && label}
    </>
  )
  if (!canPopOver) {
    const close = () => box.current?.closest('details')?.removeAttribute('open')
    return (
      <details>
        <summary {...look}>{face}</summary>
        <div ref={box} class="menu" onClick={close}>
          {children}
        </div>
      </details>
    )
  }
  return (
    <>
      <button type="button" {...look} popovertarget={id}>
        {face}
      </button>
      <div id={id} ref={box} class="menu" popover="auto" onClick={() => box.current?.hidePopover()}>
        {children}
      </div>
    </>
  )
}
