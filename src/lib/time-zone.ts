/** The machine's own time zone, for `''`. */
const machinesOwn = new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Whether it names a time zone, for example `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** A day: `Fri, 27 Nov 2026`. */
export function dayIn(timeZone: string, language: string, moment: Date): string {
  return new Intl.DateTimeFormat(language, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: timeZone || machinesOwn,
  }).format(moment)
}

/** A moment, with its zone: `2026-12-24 19:00 CET`. */
export function momentIn(timeZone: string, moment: Date): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: timeZone || machinesOwn,
    timeZoneName: 'short',
  })
  const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]))
  const [year, month, day] = [parts.get('year'), parts.get('month'), parts.get('day')]
  const [hour, minute, zone] = [parts.get('hour'), parts.get('minute'), parts.get('timeZoneName')]
  return `${year}-${month}-${day} ${hour}:${minute} ${zone}`
}
