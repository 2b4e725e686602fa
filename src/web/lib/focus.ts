/**
 * From now on a control that goes while it has the focus leaves it to the heading of the dialog or
 * view: else the keyboard would start at the top of the page again, and nothing would be read out.
 */
export function keepFocus(): void {
  let last: Element | null = null
  addEventListener('focusin', ({ target }) => (last = target as Element))
  // Whoever uses a mouse is where the mouse is.
  addEventListener('pointerdown', () => (last = null))
  new MutationObserver(() => {
    if (!last || last.isConnected || document.activeElement !== document.body) return
    last = null
    const heading = [...document.querySelectorAll<HTMLElement>('h1, dialog[open] h2')].at(-1)
    heading?.setAttribute('tabindex', '-1')
    heading?.focus({ preventScroll: true })
  }).observe(document.body, { childList: true, subtree: true })
}

/** Whoever removes a row or card goes on at the next one, else at the one before, else at `h1`. */
export function focusNeighbour(button: Element): void {
  const row = button.closest('li, article')
  // Cards may stand in groups.
  const cards = [...document.querySelectorAll('article')]
  const place = cards.indexOf(row as HTMLElement)
  const neighbour =
    place < 0
      ? (row?.nextElementSibling ?? row?.previousElementSibling)
      : (cards[place + 1] ?? cards[place - 1])
  const target = neighbour?.matches('article')
    ? neighbour
    : (neighbour?.querySelector(':scope > .icon-only') ??
      neighbour?.querySelector(':scope > button'))
  ;((target ?? document.querySelector('h1')) as HTMLElement | null)?.focus()
}

/** On a phone a row of tabs is wider than the page: brings the current one into sight. */
export function showCurrent(tabs: Element | null): void {
  tabs?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
}
