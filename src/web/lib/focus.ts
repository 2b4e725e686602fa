/**
 * When a focused control disappears, moves the focus to the heading of its dialog or view:
 * otherwise the keyboard would start at the top of the page, and screen readers would be silent.
 */
export function keepFocus(): void {
  let last: Element | null = null
  addEventListener('focusin', ({ target }) => (last = target as Element))
  // Mouse users do not depend on the focus.
  addEventListener('pointerdown', () => (last = null))
  new MutationObserver(() => {
    if (!last || last.isConnected || document.activeElement !== document.body) return
    last = null
    const heading = [...document.querySelectorAll<HTMLElement>('h1, dialog[open] h2')].at(-1)
    heading?.setAttribute('tabindex', '-1')
    heading?.focus({ preventScroll: true })
  }).observe(document.body, { childList: true, subtree: true })
}

/** After removing a row or card, focuses the next one, the previous one, or `h1`. */
export function focusNeighbour(button: Element): void {
  const row = button.closest('li, article')
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling
  const target = neighbour?.matches('article, a')
    ? neighbour
    : (neighbour?.querySelector(':scope > .icon-only, :scope > .row-tight > button.icon-only') ??
      neighbour?.querySelector(':scope > :is(button, summary)'))
  ;((target ?? document.querySelector('h1')) as HTMLElement | null)?.focus()
}
