import type { ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'
import * as icons from './icons.ts'
import type { IconPath } from './icons.ts'

interface ButtonProps {
  readonly children: ComponentChildren
  readonly onClick?: (event: MouseEvent) => unknown
  /** `primary` once per view; `danger` for irreversible actions; `quiet` in rows. */
  readonly kind?: 'primary' | 'plain' | 'danger' | 'quiet' | 'quiet icon-only'
  /** As wide as the card that it stands in. */
  readonly isWide?: boolean
  readonly type?: 'button' | 'submit'
  readonly icon?: IconPath
  /** Looks busy and ignores clicks. */
  readonly busy?: boolean
  readonly disabled?: boolean
  /**
   * Names the object where the text does not: `Remove beach.mp4`. With an icon it is also shown on
   * hover, because on phones the text may be hidden.
   */
  readonly label?: string
  readonly describedBy?: string
  readonly expanded?: boolean
}

export function Button(props: ButtonProps) {
  const { children, onClick, kind = 'plain', type = 'button', icon, busy, disabled } = props
  return (
    <button
      type={type}
      class={`button ${kind}${props.isWide ? ' wide' : ''}`}
      aria-busy={busy ? 'true' : undefined}
      aria-disabled={busy || disabled ? 'true' : undefined}
      aria-label={props.label}
      title={icon && props.label}
      aria-describedby={props.describedBy}
      aria-expanded={props.expanded}
      onClick={(event) => {
        if (!busy && !disabled) onClick?.(event)
        else event.preventDefault()
      }}
    >
      {icon && <Icon path={icon} />}
      {children}
    </button>
  )
}

interface IconButtonProps {
  readonly icon: IconPath
  /** Read out, and shown on hover. */
  readonly label: string
  readonly onClick: (event: MouseEvent) => unknown
}

export function IconButton(props: IconButtonProps) {
  return (
    <Button {...props} kind="quiet icon-only">
      {null}
    </Button>
  )
}

/** A link that looks like a button: it leads somewhere, or downloads. */
export function ButtonLink(props: {
  readonly href: string
  readonly children?: ComponentChildren
  readonly kind?: 'primary' | 'primary wide' | 'wide' | 'plain' | 'quiet'
  readonly icon?: IconPath
  /** True, or the name of the saved file. */
  readonly download?: boolean | string
  readonly label?: string
  readonly newTab?: boolean
}) {
  return (
    <a
      class={`button ${props.kind ?? 'plain'}`}
      href={props.href}
      download={props.download}
      aria-label={props.label}
      title={props.icon && props.label}
      target={props.newTab ? '_blank' : undefined}
      rel={props.newTab ? 'noopener' : undefined}
    >
      {props.icon && <Icon path={props.icon} />}
      {props.children}
    </a>
  )
}

/** Leads from one thing to the list that it is in. */
export function BackTo({ href, text }: { readonly href: string; readonly text: string }) {
  return (
    <a class="button quiet back-to" href={href}>
      <Icon path={icons.back} />
      {text}
    </a>
  )
}
