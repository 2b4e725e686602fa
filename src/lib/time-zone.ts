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

/** A moment with its zone, in words: `Thu, 24 Dec 2026, 19:00 CET`. */
export function momentIn(timeZone: string, language: string, moment: Date): string {
  // British English writes the day first and 24 hours, as emails always did.
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: timeZone || machinesOwn,
    timeZoneName: 'short',
  }).format(moment)
}
