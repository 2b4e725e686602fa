const directionMarks = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu

/**
 * A name without marks that change the direction of text (Unicode UAX #9 section 2): with them
 * `photo<RLO>gpj.exe` looks like `photoexe.jpg`.
 */
export function withoutDirectionMarks(name: string): string {
  return name.replaceAll(directionMarks, '')
}
