import type { IconPath } from './icons.ts'

/** Always beside a text, or on a button with a label: hidden from screen readers. */
export function Icon({ path }: { readonly path: IconPath }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}
