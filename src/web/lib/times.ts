import { formatDay, formatEnd, formatMoment, formatRelative } from './format.ts'

/**
 * Rewrites the times in a page of the service, which knows neither the recipient's time zone nor
 * when the page was loaded. Call it again to keep distances right. The list of files has no
 * distances, and the script's own list replaces it.
 */
export function localiseTimes(): void {
  for (const time of document.querySelectorAll<HTMLTimeElement>('time:not(#files *)')) {
    const { ago, end } = time.dataset
    const show = ago === '' ? formatRelative : end === '' ? formatEnd : formatDay
    time.textContent = show(time.dateTime)
    time.title = formatMoment(time.dateTime)
  }
}
