/** One or two letters for a picture of a person; '' when the name has none. */
export function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => /^[\p{L}\p{N}]/u.test(word))
  const ends = words.length > 1 ? [words[0]!, words.at(-1)!] : words
  return ends.map((word) => Array.from(word)[0]!.toUpperCase()).join('')
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
