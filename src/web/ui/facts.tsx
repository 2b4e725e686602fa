import type { ComponentChild } from 'preact'

/** In a row that breaks between two; the dot is cut off where a line begins. */
export function Facts({ facts }: { readonly facts: readonly ComponentChild[] }) {
  return (
    <span class="dots">
      {facts.filter(Boolean).map((fact, n) => (
        <span>{[n > 0 && ' · ', fact]}</span>
      ))}
    </span>
  )
}
