/**
 * Shows the progress of uploads in the page's icon.
 * @param percent 0 to 100; null for the normal icon
 */
export function showInFavicon(percent: number | null): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (!link) return
  link.dataset['own'] ??= link.href
  link.href = percent === null ? link.dataset['own'] : drawRing(percent)
}

function drawRing(percent: number): string {
  const circle = (more: string) =>
    `<circle cx="16" cy="16" r="12" fill="none" stroke-width="7" ${more}/>`
  const dash = `pathLength="100" stroke-dasharray="${percent} 100"`
  // Readable on light and on dark tabs.
  const rings =
    circle('stroke="#9ab"') + circle(`stroke="#1d5fc4" ${dash} transform="rotate(-90 16 16)"`)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${rings}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
