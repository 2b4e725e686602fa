import { lock, type IconPath } from './icons.ts'

/** Always beside a text, or on a button with a label: hidden from screen readers. */
export function Icon({ path }: { readonly path: IconPath }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}

/** Says by itself what is protected or encrypted. */
export const Lock = ({ text }: { readonly text: string }) => (
  <span role="img" title={text} aria-label={text}>
    <Icon path={lock} />
  </span>
)
