import type { IconPath } from './icons.ts'

/** Always beside words, or on a button that has a label of its own: hidden from screen readers. */
export function Icon({ path }: { readonly path: IconPath }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}
