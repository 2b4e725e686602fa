import { formatDay, formatMoment, formatRelative } from './format.ts'

/**
 * Rewrites the times in a page of the service, which knows neither the recipient's time zone nor
 * when the page was loaded. Call it again to keep distances right.
 */
export function localiseTimes(): void {
  for (const time of document.querySelectorAll('time')) {
    const distance = formatRelative(time.dateTime)
    const isDistance = 'ago' in time.dataset
    time.textContent = isDistance ? distance : `${formatDay(time.dateTime)} (${distance})`
    time.title = formatMoment(time.dateTime)
  }
}
