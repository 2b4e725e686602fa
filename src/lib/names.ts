/** The first letters of the first and the last word, for a picture of a person; '' without one. */
export function initialsOf(name: string): string {
  const letters = name.split(/\s+/).flatMap((word) => /[\p{L}\p{N}]/u.exec(word) ?? [])
  const ends = letters.length > 1 ? [letters[0]!, letters.at(-1)!] : letters
  return ends.join('').toUpperCase()
}

const directionMarks = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu

/**
 * A name without marks that change the direction of text (Unicode UAX #9 section 2): with them
 * `photo<RLO>gpj.exe` looks like `photoexe.jpg`.
 */
export function withoutDirectionMarks(name: string): string {
  return name.replaceAll(directionMarks, '')
}

/**
 * Names of devices, with or without extension ("Naming Files, Paths, and Namespaces" of Win32),
 * also with spaces before the dot.
 */
const deviceName = /^(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(?:COM|LPT)[0-9¹²³]) *(?:\.|$)/i

/** A name that is no Windows device. Adds at most one byte. */
export function withoutDevice(name: string): string {
  return deviceName.test(name) ? `_${name}` : name
}
